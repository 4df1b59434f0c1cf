/* The text form of facts: --dump=facts and the expectations of analysis tests. */
#include "analysis/analyse.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  sa_arena *arena;
  SA_ARRAY(char) out;
} printer;

static void put(printer *p, const char *text) {
  for (; *text != '\0'; text++) sa_push(p->arena, &p->out, *text);
}

static void put_range(printer *p, sa_range at) {
  char buffer[64];
  if (!sa_range_known(at)) return;
  snprintf(buffer, sizeof buffer, " @%u:%u", (unsigned)at.line, (unsigned)at.column);
  put(p, buffer);
}

static void put_evidence(printer *p, const sa_evidence_array *evidence) {
  for (uint32_t i = 0; i < evidence->n; i++) {
    put(p, "  ");
    put(p, sa_role_name(evidence->at[i].role));
    put_range(p, evidence->at[i].at);
    put(p, ": ");
    put(p, evidence->at[i].text);
    put(p, "\n");
  }
}

static void put_site(printer *p, const sa_ir_unit *unit, const sa_site_facts *site) {
  put(p, "site ");
  put(p, sa_site_word(site->kind));
  put_range(p, site->at);
  put(p, site->func != SA_NO_INDEX ? " in " : "");
  put(p, site->func != SA_NO_INDEX ? unit->funcs.at[site->func].name : "");
  put(p, sa_printf(p->arena, " block '%s' creation '%s' recorded '%s'\n", site->block,
                   site->creation_stream, site->recorded_stream));
  if (site->reason != NULL) put(p, sa_printf(p->arena, "  not analysed: %s\n", site->reason));
  put(p, "  facts");
  for (int fact = 0; fact < SA_FACT_COUNT; fact++) {
    if (site->facts[fact].word == 0) continue;
    put(p, " ");
    put(p, sa_fact_about((sa_fact)fact)->name);
    put(p, "=");
    put(p, sa_fact_word((sa_fact)fact, site->facts[fact].word));
  }
  put(p, "\n");
  put_evidence(p, &site->evidence);
  if (site->places.kept) put(p, "  kept behind a wait\n");
  if (site->places.unkept != NULL)
    put(p, sa_printf(p->arena, "  not kept: %s\n", site->places.unkept));
  for (uint32_t i = 0; i < site->assumed.n; i++)
    put(p, sa_printf(p->arena, "  assumed: %s\n", site->assumed.at[i]));
  for (uint32_t i = 0; i < site->missing.n; i++)
    put(p, sa_printf(p->arena, "  missing: %s\n", site->missing.at[i]));
}

static void put_hazard(printer *p, const sa_ir_unit *unit, const sa_hazard *hazard) {
  put(p, "hazard ");
  put(p, sa_hazard_name(hazard->kind));
  put(p, hazard->certain ? " certain" : " likely");
  put_range(p, hazard->at);
  put(p, sa_printf(p->arena, " in %s block '%s' stream '%s' other '%s'\n",
                   unit->funcs.at[hazard->func].name, hazard->block, hazard->stream,
                   hazard->other_stream));
  put_evidence(p, &hazard->evidence);
}

static void put_release(printer *p, const sa_ir_unit *unit, const sa_release_facts *release) {
  put(p, "release ");
  put(p, sa_release_name(release->state));
  put_range(p, release->at);
  put(p,
      sa_printf(p->arena, " in %s block '%s'", unit->funcs.at[release->func].name, release->block));
  put(p, sa_range_known(release->made_at) ? " made" : "");
  put_range(p, release->made_at);
  put(p, release->why != NULL ? ": " : "");
  put(p, release->why != NULL ? release->why : "");
  put(p, "\n");
}

char *sa_facts_print(sa_arena *arena, const sa_ir_unit *unit, const sa_facts *facts) {
  printer p = {.arena = arena};
  for (uint32_t i = 0; i < facts->sites.n; i++) put_site(&p, unit, &facts->sites.at[i]);
  for (uint32_t i = 0; i < facts->hazards.n; i++) put_hazard(&p, unit, &facts->hazards.at[i]);
  for (uint32_t i = 0; i < facts->releases.n; i++) put_release(&p, unit, &facts->releases.at[i]);
  sa_push(arena, &p.out, '\0');
  return p.out.at;
}
