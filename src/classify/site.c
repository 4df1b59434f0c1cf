/* From facts about a call to the site that every output shows. */
#include "base/hash.h"
#include "classify/internal.h"

#include <string.h>

bool sa_site_wants_verdict(const sa_site_facts *facts) {
  return facts->analysed && facts->kind != SA_SITE_FORWARDING &&
         facts->kind != SA_SITE_IMPLEMENTATION;
}

sa_place sa_place_of(const sa_ir_unit *unit, sa_range range) {
  if (!sa_range_known(range) || range.file >= unit->files.n) return (sa_place){.file = ""};
  return (sa_place){.file = unit->files.at[range.file],
                    .line = range.line,
                    .column = range.column,
                    .end_line = range.end_line,
                    .end_column = range.end_column};
}

void sa_steps_copy(sa_step **at, uint32_t *n, sa_arena *arena, const sa_ir_unit *unit,
                   const sa_evidence_array *evidence, sa_place fallback) {
  *n = evidence->n;
  *at = evidence->n == 0 ? NULL : sa_alloc(arena, evidence->n * sizeof **at);
  for (uint32_t i = 0; i < evidence->n; i++) {
    const sa_evidence *step = &evidence->at[i];
    sa_place place = sa_place_of(unit, step->at);
    (*at)[i] = (sa_step){sa_role_name(step->role), place.line == 0 ? fallback : place, step->text};
  }
}

static const char *or_empty(const char *text) {
  return text == NULL ? "" : text;
}

static const char *function_name(const sa_ir_unit *unit, const sa_site_facts *facts) {
  if (facts->func < unit->funcs.n) return or_empty(unit->funcs.at[facts->func].name);
  if (facts->site < unit->sites.n) return or_empty(unit->sites.at[facts->site].function);
  return "";
}

static const char *site_id(sa_arena *arena, const sa_ir_unit *unit, const sa_site *site,
                           uint32_t ordinal) {
  uint64_t hash = sa_hash_string(unit->path, 0);
  hash = sa_hash_string(site->function, hash);
  hash = sa_hash_string(site->block, hash);
  hash = sa_hash_string(site->recorded_stream, hash);
  return sa_hash_hex(arena, sa_hash(&ordinal, sizeof ordinal, hash));
}

/* What the verdict rests on: the facts that its row asks for and that were established. */
static void add_proved(sa_site *site, sa_arena *arena, const sa_site_facts *facts,
                       const sa_verdict_row *row) {
  for (uint32_t i = 0; row != NULL && i < row->when.n; i++) {
    sa_fact fact = row->when.at[i].fact;
    uint8_t word = facts->facts[fact].word;
    if (word == 0) continue;
    sa_push(arena, &site->proved,
            sa_printf(arena, "%s: %s", sa_fact_about(fact)->name, sa_fact_word(fact, word)));
  }
}

static void add_missing(sa_site *site, sa_arena *arena, const sa_site_facts *facts,
                        const sa_verdict_row *row) {
  for (uint32_t i = 0; row != NULL && i < row->missing.n; i++)
    sa_push(arena, &site->missing, row->missing.at[i]);
  for (uint32_t i = 0; i < facts->missing.n; i++)
    sa_push(arena, &site->missing, facts->missing.at[i]);
}

sa_site sa_site_make(sa_arena *arena, const sa_ir_unit *unit, const sa_site_facts *facts,
                     const sa_verdict_row *row, uint32_t ordinal) {
  const sa_ir_site *origin = facts->site < unit->sites.n ? &unit->sites.at[facts->site] : NULL;
  sa_site site = {.at = sa_place_of(unit, facts->at)};
  site.language = or_empty(unit->language);
  site.function = function_name(unit, facts);
  site.api = or_empty(facts->api);
  site.kind = sa_site_word(facts->kind);
  site.analysed = facts->analysed;
  site.reason = facts->reason;
  site.category = row == NULL ? NULL : row->category;
  site.effect = row == NULL ? "unknown" : row->effect;
  site.confidence = row == NULL ? "low" : row->confidence;
  site.creation_stream = or_empty(facts->creation_stream);
  site.recorded_stream = or_empty(facts->recorded_stream);
  site.block = or_empty(facts->block);
  site.release_kind = sa_fact_word(SA_FACT_release, facts->facts[SA_FACT_release].word);
  sa_range release =
      sa_range_known(facts->release_at) ? facts->release_at : facts->facts[SA_FACT_release].at;
  site.release_line = release.line;
  site.ordered = facts->places.ordered;
  site.kept = facts->places.kept;
  site.unkept = facts->places.unkept;
  site.justified = origin != NULL && origin->justified;
  site.verdict = row == NULL ? "" : row->id;
  site.advice = "";
  site.id = site_id(arena, unit, &site, ordinal);
  sa_steps_copy(&site.evidence.at, &site.evidence.n, arena, unit, &facts->evidence, site.at);
  add_proved(&site, arena, facts, row);
  for (uint32_t i = 0; i < facts->assumed.n; i++)
    sa_push(arena, &site.assumed, facts->assumed.at[i]);
  add_missing(&site, arena, facts, row);
  return site;
}
