/* Sites and findings of one unit. A site has at most one finding from its verdict; hazards add to
 * it or take its place. On a site where record_stream is right nothing may stand but the wish for a
 * comment. */
#include "base/hash.h"
#include "base/table.h"
#include "classify/internal.h"

#include <string.h>

static const char NOT_ANALYSED[] = "SA901", AVOIDABLE[] = "SA101";

typedef struct {
  sa_result *result;
  sa_arena *arena;
  const sa_ir_unit *unit;
  const sa_facts *facts;
  const sa_ruleset *rules;
  uint32_t first_site;         /* of this unit in result->sites; same order as facts->sites */
  const sa_verdict_row **rows; /* of each site, NULL without a verdict */
  sa_table namesakes;          /* how many calls have one function, block and stream */
} classifier;

static bool is_unavoidable(const sa_verdict_row *row) {
  return row != NULL && row->category != NULL && strcmp(row->category, "unavoidable") == 0;
}

/* The author has said why: the call stays as it is, whatever we think could be had for it. */
static bool is_answered(const sa_verdict_row *row, const sa_site *site) {
  return site->justified && (is_unavoidable(row) || strcmp(row->rule, AVOIDABLE) == 0);
}

static uint64_t hash_text(const char *text, uint64_t seed) {
  return sa_hash_string(text == NULL ? "" : text, seed);
}

/* How many earlier calls of the unit cannot be told from this one by name. */
static uint32_t ordinal_of(classifier *c, const sa_site_facts *site) {
  bool is_new;
  uint64_t key = hash_text(site->recorded_stream, hash_text(site->block, site->func));
  return (*sa_table_at(c->arena, &c->namesakes, key | 1, &is_new))++;
}

static sa_message_names names_of(const sa_site *site, const sa_site_facts *facts) {
  return (sa_message_names){.block = site->block,
                            .creation = site->creation_stream,
                            .recorded = site->recorded_stream,
                            .function = site->function,
                            .stream = site->recorded_stream,
                            .release = facts->facts[SA_FACT_release].word,
                            .release_line = site->release_line};
}

static sa_severity lowered(sa_severity level, bool by_one) {
  return by_one && level > SA_NOTE ? level - 1 : level;
}

static void add_site(classifier *c, uint32_t index, const sa_classify_options *options) {
  sa_site_facts facts = sa_facts_configured(&c->facts->sites.at[index], options);
  const sa_verdict_row *row =
      sa_site_wants_verdict(&facts) ? sa_verdict_find(c->rules, &facts) : NULL;
  sa_site site = sa_site_make(c->arena, c->unit, &facts, row, ordinal_of(c, &facts));
  site.account = sa_account_make(c->arena, c->unit, c->rules, &facts, row);
  if (row != NULL) {
    sa_message_names names = names_of(&site, &facts);
    if (site.account != NULL)
      site.account->message = sa_message_render(c->arena, row->message, &names);
    site.advice = sa_message_render(c->arena, row->advice, &names);
  }
  c->rows[index] = row;
  sa_push(c->arena, &c->result->sites, site);
}

/* Calls that no facts speak of are still shown, with the frontend's reason or ours. */
static void add_site_without_facts(classifier *c, uint32_t index) {
  const sa_ir_site *origin = &c->unit->sites.at[index];
  sa_site_facts facts = {.kind = origin->kind,
                         .site = index,
                         .func = origin->func,
                         .helper = SA_NO_INDEX,
                         .at = origin->at,
                         .api = origin->api,
                         .reason = origin->reason};
  bool declared = origin->kind == SA_SITE_IMPLEMENTATION || origin->kind == SA_SITE_FORWARDING;
  facts.analysed = declared && origin->reason == NULL;
  if (!facts.analysed && facts.reason == NULL)
    facts.reason = "the call is in code that is not reached";
  sa_push(c->arena, &c->result->sites,
          sa_site_make(c->arena, c->unit, &facts, NULL, c->facts->sites.n + index));
}

static void add_sites(classifier *c, const sa_classify_options *options) {
  bool *told = sa_alloc(c->arena, c->unit->sites.n + 1);
  for (uint32_t i = 0; i < c->facts->sites.n; i++) {
    add_site(c, i, options);
    if (c->facts->sites.at[i].site < c->unit->sites.n) told[c->facts->sites.at[i].site] = true;
  }
  for (uint32_t i = 0; i < c->unit->sites.n; i++)
    if (!told[i]) add_site_without_facts(c, i);
}

static sa_finding start_finding(const sa_rule *rule, const sa_site *site, bool low) {
  return (sa_finding){.rule = rule,
                      .level = lowered(rule->level, low),
                      .at = site->at,
                      .help = "",
                      .site = site->id,
                      .function = site->function};
}

static void add_verdict_finding(classifier *c, uint32_t index) {
  const sa_verdict_row *row = c->rows[index];
  const sa_site *site = &c->result->sites.at[c->first_site + index];
  const sa_rule *rule = row->rule == NULL ? NULL : sa_ruleset_find_rule(c->rules, row->rule);
  if (rule == NULL || is_answered(row, site)) return;
  const sa_site_facts *facts = &c->facts->sites.at[index];
  sa_message_names names = names_of(site, facts);
  sa_finding finding = start_finding(rule, site, strcmp(row->confidence, "low") == 0);
  finding.message = sa_message_render(c->arena, row->message, &names);
  finding.row = row->id;
  finding.names = names;
  finding.help = site->advice;
  sa_steps_copy(&finding.evidence.at, &finding.evidence.n, c->arena, c->unit, &facts->evidence,
                site->at);
  sa_push(c->arena, &c->result->findings, finding);
}

static void add_not_analysed(classifier *c, const sa_site *site) {
  const sa_rule *rule = sa_ruleset_find_rule(c->rules, NOT_ANALYSED);
  bool declared = strcmp(site->kind, "implementation") == 0;
  if (rule == NULL || site->analysed || declared) return;
  sa_finding finding = start_finding(rule, site, false);
  finding.message = sa_printf(c->arena, "A record_stream call was not analysed. Reason: %s.",
                              site->reason == NULL ? "not known" : site->reason);
  finding.help = rule->help;
  sa_push(c->arena, &c->result->findings, finding);
}

/* Verdict rules that a certain hazard on the same site makes moot. */
static const struct {
  sa_hazard_kind hazard;
  const char *rules;
} REPLACES[] = {
    {SA_HAZARD_WRONG_STREAM_RECORDED, "SA101 SA102 SA103 SA104 SA201 SA202"},
    {SA_HAZARD_UNORDERED_RELEASE, "SA101 SA202"},
};

static bool replaces(const sa_hazard *hazard, const sa_verdict_row *row) {
  if (row == NULL || row->rule == NULL) return false;
  for (size_t i = 0; i < sizeof REPLACES / sizeof *REPLACES; i++)
    if (REPLACES[i].hazard == hazard->kind && strstr(REPLACES[i].rules, row->rule) != NULL)
      return true;
  return false;
}

static bool touches(const sa_site_facts *site, const sa_hazard *hazard) {
  if (!sa_range_known(hazard->at) || hazard->at.file != site->at.file) return false;
  return hazard->at.line >= site->at.line && hazard->at.line <= site->at.end_line;
}

/* Whether the hazard says that memory is unsafe or the call is wrong; the others are about cost. */
static bool is_about_safety(sa_hazard_kind kind) {
  return kind != SA_HAZARD_WAIT_TOO_EARLY && kind != SA_HAZARD_DEFERRED_IN_CAPTURE &&
         kind != SA_HAZARD_QUERY_IN_CAPTURE;
}

/* A hazard is silent where record_stream is right, and where it is only a guess against a verdict.
 */
static bool stands(const classifier *c, const sa_hazard *hazard) {
  for (uint32_t i = 0; i < c->facts->sites.n; i++) {
    bool own = hazard->site_facts == i;
    bool here = own || touches(&c->facts->sites.at[i], hazard);
    if (here && is_unavoidable(c->rows[i]) && is_about_safety(hazard->kind)) return false;
    if (own && !hazard->certain && replaces(hazard, c->rows[i])) return false;
  }
  return true;
}

static bool replaced(const classifier *c, uint32_t index) {
  for (uint32_t i = 0; i < c->facts->hazards.n; i++) {
    const sa_hazard *hazard = &c->facts->hazards.at[i];
    if (hazard->site_facts == index && replaces(hazard, c->rows[index]) && stands(c, hazard))
      return true;
  }
  return false;
}

static const sa_rule *hazard_rule(const sa_ruleset *rules, sa_hazard_kind kind) {
  for (uint32_t i = 0; i < rules->rules.n; i++)
    if (rules->rules.at[i].hazard == kind) return &rules->rules.at[i];
  return NULL;
}

static void add_hazard(classifier *c, const sa_hazard *hazard) {
  const sa_rule *rule = hazard_rule(c->rules, hazard->kind);
  if (rule == NULL || !stands(c, hazard)) return;
  const sa_site *site = NULL;
  if (hazard->site_facts < c->facts->sites.n)
    site = &c->result->sites.at[c->first_site + hazard->site_facts];
  sa_finding finding = {.rule = rule, .level = lowered(rule->level, !hazard->certain)};
  finding.at = sa_place_of(c->unit, hazard->at);
  if (finding.at.line == 0 && site != NULL) finding.at = site->at;
  finding.help = rule->help;
  finding.account = sa_account_of_hazard(c->arena, hazard);
  finding.site = site == NULL ? NULL : site->id;
  finding.function = "";
  if (hazard->func < c->unit->funcs.n) finding.function = c->unit->funcs.at[hazard->func].name;
  sa_message_names names = {.block = hazard->block,
                            .creation = site == NULL ? "" : site->creation_stream,
                            .recorded = site == NULL ? "" : site->recorded_stream,
                            .function = finding.function,
                            .stream = hazard->stream,
                            .other = hazard->other_stream,
                            .release = -1};
  finding.message = sa_message_render(c->arena, rule->message, &names);
  finding.row = "";
  finding.names = names;
  sa_steps_copy(&finding.evidence.at, &finding.evidence.n, c->arena, c->unit, &hazard->evidence,
                finding.at);
  sa_push(c->arena, &c->result->findings, finding);
}

void sa_classify(sa_result *result, sa_arena *arena, const sa_ir_unit *unit, const sa_facts *facts,
                 const sa_ruleset *rules, const sa_classify_options *options) {
  classifier c = {.result = result,
                  .arena = arena,
                  .unit = unit,
                  .facts = facts,
                  .rules = rules,
                  .first_site = result->sites.n};
  c.rows = sa_alloc(arena, (facts->sites.n + 1) * sizeof *c.rows);
  add_sites(&c, options);
  for (uint32_t i = 0; i < facts->sites.n; i++)
    if (c.rows[i] != NULL && !replaced(&c, i)) add_verdict_finding(&c, i);
  for (uint32_t i = c.first_site; i < result->sites.n; i++)
    add_not_analysed(&c, &result->sites.at[i]);
  for (uint32_t i = 0; i < facts->hazards.n; i++) add_hazard(&c, &facts->hazards.at[i]);
}
