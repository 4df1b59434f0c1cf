#include "fixture.h"

static const char *form_name(char form) {
  return form == 'R' ? "record" : form == 'E' ? "event" : form == 'W' ? "rewritten" : "neither";
}

static const char *rule_name(const row *r) {
  static const char *const names[] = {"defer", "per-stream", "strong"};
  return r->f->capture ? names[r->config.capture_rule] : "-";
}

static double mib(uint64_t bytes) {
  return (double)bytes / (1 << 20);
}

void table_head(const options *o) {
  printf("%-22s %-9s %-10s %7s %6s %7s %9s %9s", "fixture", "form", "capture", "results", "wrong",
         "blocks", "active", "reserved");
  if (o->cuda)
    printf(" %9s %9s", "sequences", "ms");
  else
    printf(" %9s %11s %7s %8s  %s", "sequences", "schedules", "states", "hazards", "witness");
  printf("  %s\n", "as expected");
}

static void print_witness(const row *r) {
  char text[64] = "";
  if (r->has_witness)
    snprintf(text, sizeof text, "%llx, not %llx", (unsigned long long)r->got,
             (unsigned long long)r->expected);
  printf("  %-24s", text);
}

void table_row(const options *o, const row *r) {
  char blocks[32];
  if (r->blocks_min == r->blocks_max)
    snprintf(blocks, sizeof blocks, "%llu", (unsigned long long)r->blocks_min);
  else
    snprintf(blocks, sizeof blocks, "%llu..%llu", (unsigned long long)r->blocks_min,
             (unsigned long long)r->blocks_max);
  printf("%-22s %-9s %-10s %7zu %6zu %7s %9.1f %9.1f %9u", r->f->name, form_name(r->f->form),
         rule_name(r), r->results, r->wrong, blocks, mib(r->active), mib(r->reserved),
         r->sequences);
  if (o->cuda) {
    printf(" %9.2f", r->ms);
  } else {
    printf(" %11llu %7llu %8zu", (unsigned long long)r->schedules, (unsigned long long)r->states,
           r->hazards);
    print_witness(r);
  }
  printf("  %s%s%s\n", r->ok ? "yes" : "NO", r->status ? ": " : "",
         r->status ? sar_status_name(r->status) : "");
  fflush(stdout);
}

static void json_row(FILE *f, const options *o, const row *r, bool last) {
  fprintf(f,
          "    {\"fixture\": \"%s\", \"form\": \"%s\", \"capture\": \"%s\", \"wrong_on_purpose\": "
          "%s, \"results\": %zu, \"wrong\": %zu, \"blocks_min\": %llu, \"blocks_max\": %llu, "
          "\"active_peak\": %llu, \"reserved_peak\": %llu, \"runs\": %u, \"sequences\": %u, ",
          r->f->name, form_name(r->f->form), rule_name(r), r->f->hazard ? "true" : "false",
          r->results, r->wrong, (unsigned long long)r->blocks_min,
          (unsigned long long)r->blocks_max, (unsigned long long)r->active,
          (unsigned long long)r->reserved, r->runs, r->sequences);
  if (o->cuda)
    fprintf(f, "\"ms\": %.3f, ", r->ms);
  else
    fprintf(f, "\"schedules\": %llu, \"states\": %llu, \"hazards\": %zu, \"witness\": %s, ",
            (unsigned long long)r->schedules, (unsigned long long)r->states, r->hazards,
            r->has_witness ? "true" : "false");
  fprintf(f, "\"as_expected\": %s}%s\n", r->ok ? "true" : "false", last ? "" : ",");
}

bool table_json(const options *o, const char *device, const row *rows, size_t count) {
  if (!o->json) return true;
  FILE *f = fopen(o->json, "w");
  if (!f) return false;
  fprintf(f, "{\n  \"backend\": \"%s\",\n  \"device\": \"%s\",\n  \"rows\": [\n",
          o->cuda ? "cuda" : "sim", device);
  for (size_t i = 0; i < count; i++) json_row(f, o, &rows[i], i + 1 == count);
  fprintf(f, "  ]\n}\n");
  return !fclose(f);
}
