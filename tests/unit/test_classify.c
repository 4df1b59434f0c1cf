/* The decision table: fact vectors to verdicts, every row reachable, no flag on a call that is
 * right; and what becomes of verdicts and hazards. */
#include "classify/classify.h"
#include "ruleset/ruleset.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sa_arena *arena;
static sa_ruleset *rules;

static void setup(void) {
  arena = sa_arena_new();
  sa_diag diag = {.arena = arena};
  sa_status status = sa_ruleset_load(&rules, arena, &diag, "rules");
  for (uint32_t i = 0; i < diag.messages.n; i++)
    printf("%s:%u: %s\n", diag.messages.at[i].file, diag.messages.at[i].line,
           diag.messages.at[i].text);
  ck_assert_int_eq(status, SA_OK);
}

static void teardown(void) {
  sa_arena_free(arena);
}

static void set_fact(sa_site_facts *site, const char *name, const char *word) {
  sa_fact fact = sa_fact_find(name);
  ck_assert_msg(fact != SA_FACT_COUNT, "no fact '%s'", name);
  int index = sa_fact_word_index(fact, word);
  ck_assert_msg(index >= 0, "fact '%s' has no word '%s'", name, word);
  site->facts[fact].word = (uint8_t)index;
}

/* "origin=local release=reset": everything else keeps its default. */
static sa_site_facts facts_from(const char *text) {
  sa_site_facts site = {.kind = SA_SITE_CALL,
                        .site = SA_NO_INDEX,
                        .func = SA_NO_INDEX,
                        .helper = SA_NO_INDEX,
                        .at = {0, 10, 3, 10, 20, 100, 117},
                        .api = "record_stream",
                        .analysed = true,
                        .block = "x",
                        .creation_stream = "main",
                        .recorded_stream = "side"};
  char *copy = sa_strdup(arena, text), *rest = copy;
  for (char *pair; (pair = strsep(&rest, " ")) != NULL;) {
    if (*pair == '\0') continue;
    char *word = strchr(pair, '=');
    *word++ = '\0';
    set_fact(&site, pair, word);
  }
  return site;
}

static const struct {
  const char *facts, *row, *category, *rule;
} SHAPES[] = {
    /* no effect */
    {"origin=local made=seen creation=side recorded=side same_stream=yes", "same-stream-made-here",
     "avoidable", "SA201"},
    {"origin=captured made=seen creation=side same_stream=yes closure=passed",
     "same-stream-made-here", "avoidable", "SA201"},
    {"origin=result made=seen same_stream=yes callback=yes", "same-stream-made-here", "avoidable",
     "SA201"},
    {"origin=holder-member same_stream=yes", "same-stream-perhaps", "avoidable", "SA101"},
    {"origin=foreign side_use=yes", "memory-not-owned", "avoidable", "SA204"},
    /* record_stream is right */
    {"origin=member recorded=remembered element=yes loop=yes", "streams-remembered-from-users",
     "unavoidable", "SA104"},
    {"origin=local recorded=remembered escape=stored ordered=yes", "streams-remembered-from-users",
     "unavoidable", "SA104"},
    {"origin=foreign recorded=remembered", "streams-remembered-from-users", "unavoidable", "SA104"},
    {"origin=weak recorded=current callback=yes element=yes", "weak-reference-and-callback",
     "unavoidable", "SA104"},
    {"origin=param recorded=current callback=yes", "callback-is-given-the-block", "unavoidable",
     "SA104"},
    {"origin=local callback=yes stash=flag ordered=yes", "callback-is-given-the-block",
     "unavoidable", "SA104"},
    {"origin=weak recorded=current element=yes loop=yes", "weak-reference", "unavoidable", "SA104"},
    {"origin=local direction=output escape=callback", "goes-to-a-callback", "unavoidable", "SA104"},
    {"origin=local direction=output escape=returned surface=stable",
     "stable-interface-hands-it-out", "unavoidable", "SA104"},
    {"origin=local direction=output recorded=current escape=returned mover=yes",
     "moves-inputs-for-others", "unavoidable", "SA104"},
    /* engine */
    {"origin=param recorded=param engine=yes escape=stored", "engine-buffer", "hard-to-avoid",
     "SA103"},
    {"origin=param recorded=param engine=yes escape=out join=later", "engine-buffer",
     "hard-to-avoid", "SA103"},
    {"origin=param recorded=default engine=yes returns=block direction=output", "engine-buffer",
     "hard-to-avoid", "SA103"},
    {"origin=param recorded=element engine=yes stash=class", "engine-buffer", "hard-to-avoid",
     "SA103"},
    {"origin=param recorded=result escape=out surface=override", "outgoing-to-a-transport",
     "hard-to-avoid", "SA103"},
    {"origin=param recorded=result escape=stored stash=here release=moved surface=override",
     "outgoing-to-a-transport", "hard-to-avoid", "SA103"},
    {"origin=param recorded=element escape=queue surface=override", "outgoing-to-a-transport",
     "hard-to-avoid", "SA103"},
    {"origin=holder-member element=yes loop=yes recorded=result returns=block surface=public",
     "outgoing-in-a-message", "hard-to-avoid", "SA103"},
    /* ordered already */
    {"origin=local side_use=yes ordered=yes release=reset", "ordered-before-every-release",
     "avoidable", "SA202"},
    {"origin=param direction=input side_use=yes ordered=yes escape=returned",
     "ordered-and-given-back", "avoidable", "SA202"},
    {"origin=param callers=ordering surface=internal side_use=yes", "ordered-by-every-caller",
     "avoidable", "SA202"},
    {"origin=local ordered=yes release=scope-end", "ordered-as-far-as-seen", "avoidable", "SA101"},
    {"origin=param recorded=param surface=exported", "told-by-a-foreign-caller", "unavoidable",
     "SA104"},
    {"origin=member direction=output escape=returned stash=class",
     "member-made-aside-and-handed-out", "api-redesignable", "SA102"},
    /* point-to-point */
    {"origin=param recorded=side contract=optional returns=handle handle_owns=yes", "optional-wait",
     "api-redesignable", "SA102"},
    {"origin=param recorded=element contract=optional returns=handle stash=flag", "optional-wait",
     "api-redesignable", "SA102"},
    {"origin=param recorded=param contract=optional closure=passed", "optional-wait",
     "api-redesignable", "SA102"},
    {"origin=param recorded=member stash=sibling guard=flag comment=waived",
     "sibling-keeps-what-is-waited-for", "api-redesignable", "SA102"},
    {"origin=param recorded=member stash=sibling guard=flag comment=reason",
     "sibling-branch-keeps-it", "avoidable", "SA101"},
    /* release or order in this function */
    {"origin=local recorded=member join=later", "join-later-in-function", "avoidable", "SA101"},
    {"origin=local recorded=member join=later ordered=no escape=stored",
     "join-comes-after-a-release", "avoidable", "SA101"},
    {"origin=local recorded=side join=host ordered=no escape=stored", "host-waits-after-a-release",
     "avoidable", "SA101"},
    {"origin=local recorded=pool join=later ordered=no release=scope-end loop=yes",
     "join-after-the-release", "avoidable", "SA101"},
    {"origin=local recorded=side join=host ordered=no release=scope-end",
     "host-waits-after-the-release", "avoidable", "SA101"},
    {"origin=local direction=output creation=side join=later", "join-later-in-function",
     "avoidable", "SA101"},
    {"origin=local recorded=side join=host", "host-waits-later", "avoidable", "SA101"},
    {"origin=param recorded=side join=later escape=returned", "join-before-giving-back",
     "avoidable", "SA101"},
    {"origin=member recorded=side release=clear", "explicit-release", "avoidable", "SA101"},
    {"origin=local recorded=side release=resize side_use=yes", "explicit-release", "avoidable",
     "SA101"},
    {"origin=param element=yes recorded=member join=sibling guard=mode escape=returned",
     "other-arm-joins-and-block-goes-out", "api-redesignable", "SA102"},
    {"origin=param recorded=current join=sibling stash=sibling escape=returned returns=block",
     "other-arm-joins-and-block-goes-out", "api-redesignable", "SA102"},
    /* holders */
    {"origin=param recorded=side stash=sibling guard=mode returns=handle",
     "sibling-branch-keeps-it", "avoidable", "SA101"},
    {"origin=param recorded=param stash=flag guard=flag closure=passed", "flag-keeps-it",
     "avoidable", "SA101"},
    {"origin=local recorded=side stash=here", "kept-here", "avoidable", "SA101"},
    {"origin=param recorded=member stash=class returns=handle", "kept-by-the-class", "avoidable",
     "SA101"},
    {"origin=param recorded=member stash=caller", "kept-by-the-class", "avoidable", "SA101"},
    {"origin=param recorded=current direction=input side_use=no stash=class",
     "class-that-could-keep-it", "avoidable", NULL},
    {"origin=member direction=output recorded=current release=owner stash=class",
     "member-made-aside-for-a-consumer", "api-redesignable", NULL},
    {"origin=local recorded=member escape=returned stash=class", "class-hands-it-out",
     "api-redesignable", NULL},
    {"origin=result direction=output escape=returned stash=class", "made-aside-and-handed-out",
     "api-redesignable", "SA102"},
    {"origin=captured recorded=member stash=future escape=queue", "kept-by-a-future", "avoidable",
     "SA101"},
    {"origin=holder-member recorded=side", "member-of-a-holder", "avoidable", "SA101"},
    {"origin=param recorded=side returns=handle handle_owns=yes", "handle-owns-blocks", "avoidable",
     "SA101"},
    {"origin=param recorded=param closure=passed guard=flag", "flag-guards-a-hook", "avoidable",
     "SA101"},
    /* handles that own nothing, outputs of a side stream */
    {"origin=param recorded=side returns=handle handle_owns=no", "handle-owns-nothing",
     "api-redesignable", "SA102"},
    {"origin=local recorded=member element=yes returns=both handle_owns=no join=sibling",
     "handle-owns-nothing", "api-redesignable", "SA102"},
    {"origin=param recorded=current returns=both handle_owns=no guard=mode", "handle-owns-nothing",
     "api-redesignable", "SA102"},
    {"origin=param recorded=side returns=handle contract=required", "handle-that-callers-wait-for",
     "avoidable", "SA101"},
    {"origin=param recorded=side returns=handle", "handle-not-known", "api-redesignable", "SA102"},
    {"origin=local direction=output escape=returned returns=block recorded=current",
     "side-output-handed-out", "api-redesignable", "SA102"},
    {"origin=local direction=output escape=out surface=exported", "side-output-handed-out",
     "api-redesignable", "SA102"},
    {"origin=result creation=side recorded=current escape=returned", "side-block-handed-out",
     "api-redesignable", "SA102"},
    {"origin=captured recorded=side escape=queue", "queued-without-holder", "api-redesignable",
     NULL},
    /* owners and own side work */
    {"origin=param recorded=side join=sibling", "other-arm-joins", "avoidable", "SA101"},
    {"origin=member recorded=current release=owner", "owner-member", "avoidable", "SA101"},
    {"origin=member recorded=element side_use=yes", "owner-member-used-aside", "avoidable",
     "SA101"},
    {"origin=local recorded=side release=scope-end side_use=yes", "local-released-at-scope-end",
     "avoidable", "SA101"},
    {"origin=local recorded=pool release=scope-end", "local-released-unproved-use", "avoidable",
     "SA101"},
    {"origin=param direction=input recorded=side side_use=yes release=caller", "input-used-aside",
     "avoidable", "SA101"},
    {"origin=local creation=entry recorded=side side_use=yes escape=returned returns=block",
     "made-at-entry-used-aside", "avoidable", "SA101"},
    {"origin=param recorded=current", "operand-on-current-stream", "avoidable", "SA101"},
    {"origin=param creation=entry recorded=current same_stream=yes", "operand-on-current-stream",
     "avoidable", "SA101"},
    {"origin=param recorded=member same_stream=yes", "same-stream-assumed", "avoidable", "SA101"},
    {"origin=param recorded=param closure=passed", "closure-for-our-work", "avoidable", "SA101"},
    /* little known */
    {"origin=local made=seen direction=input recorded=param escape=returned", "made-for-a-consumer",
     "api-redesignable", NULL},
    {"origin=param direction=input recorded=side", "input-direction", "avoidable", "SA101"},
    {"origin=param direction=output", "output-direction", "api-redesignable", NULL},
    {"origin=result escape=returned", "handed-out", "api-redesignable", NULL},
    {"origin=member recorded=current escape=returned", "taken-from-the-object-and-handed-out",
     "api-redesignable", NULL},
    {"", "nothing-established", "avoidable", NULL},
    /* not judged, by engines, by holders */
    {"test=yes origin=local", "in-a-test", NULL, NULL},
    {"mover=yes direction=output", "moves-inputs-for-others", "unavoidable", "SA104"},
    {"guard=holders origin=member", "others-still-hold-it", "unavoidable", "SA104"},
    {"direction=output creation=side escape=returned returns=both handle_owns=yes",
     "side-output-in-what-is-handed-out", "api-redesignable", "SA102"},
    {"origin=member recorded=element", "nothing-established", "avoidable", NULL},
};

enum { SHAPE_COUNT = sizeof SHAPES / sizeof *SHAPES };

START_TEST(shape_gets_its_row) {
  sa_site_facts site = facts_from(SHAPES[_i].facts);
  const sa_verdict_row *row = sa_verdict_find(rules, &site);
  ck_assert_ptr_nonnull(row);
  ck_assert_str_eq(row->id, SHAPES[_i].row);
  ck_assert(row->category == SHAPES[_i].category ||
            strcmp(row->category, SHAPES[_i].category) == 0); /* both may be NULL */
  if (SHAPES[_i].rule == NULL)
    ck_assert_ptr_null(row->rule);
  else
    ck_assert_str_eq(row->rule, SHAPES[_i].rule);
}
END_TEST

START_TEST(every_row_has_a_shape) {
  for (uint32_t r = 0; r < rules->verdicts.n; r++) {
    bool found = false;
    for (int i = 0; i < SHAPE_COUNT; i++)
      found |= strcmp(SHAPES[i].row, rules->verdicts.at[r].id) == 0;
    ck_assert_msg(found, "no shape reaches row '%s'", rules->verdicts.at[r].id);
  }
}
END_TEST

START_TEST(rows_name_rules_that_exist_and_fit) {
  static const struct {
    const char *category, *rules;
  } fits[] = {{"avoidable", "SA101 SA201 SA202 SA204"},
              {"unavoidable", "SA104"},
              {"api-redesignable", "SA102"},
              {"hard-to-avoid", "SA103"}};
  for (uint32_t r = 0; r < rules->verdicts.n; r++) {
    const sa_verdict_row *row = &rules->verdicts.at[r];
    bool low = strcmp(row->confidence, "low") == 0;
    if (row->category == NULL) {
      ck_assert_ptr_null(row->rule);
      continue;
    }
    if (strcmp(row->category, "hard-to-avoid") == 0) ck_assert_uint_gt(row->missing.n, 0);
    if (row->rule == NULL) {
      ck_assert_msg(low, "row '%s' is silent but sure", row->id);
      continue;
    }
    ck_assert_ptr_nonnull(sa_ruleset_find_rule(rules, row->rule));
    for (int i = 0; i < 4; i++)
      if (strcmp(fits[i].category, row->category) == 0)
        ck_assert_msg(strstr(fits[i].rules, row->rule) != NULL, "row '%s'", row->id);
  }
}
END_TEST

/* A fixed generator: the same vectors in every run. */
static uint32_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static int word_count(sa_fact fact) {
  int count = 1;
  for (const char *at = sa_fact_about(fact)->words; *at != '\0'; at++) count += *at == ' ';
  return count;
}

static bool is(const sa_site_facts *site, sa_fact fact, const char *word) {
  return strcmp(sa_fact_word(fact, site->facts[fact].word), word) == 0;
}

/* Random facts of every density: mostly defaults, half and half, mostly set. */
static sa_site_facts random_facts(uint64_t *state) {
  sa_site_facts site = facts_from("");
  uint32_t density = next_random(state) % 4;
  for (int fact = 0; fact < SA_FACT_COUNT; fact++)
    if (fact != SA_FACT_test && next_random(state) % 4 <= density)
      site.facts[fact].word = (uint8_t)(next_random(state) % (uint32_t)word_count(fact));
  return site;
}

START_TEST(no_flag_where_record_stream_is_right) {
  uint64_t state = 20240607;
  int judged = 0;
  for (int i = 0; i < 300000; i++) {
    sa_site_facts site = random_facts(&state);
    bool right = is(&site, SA_FACT_callback, "yes") || is(&site, SA_FACT_recorded, "remembered") ||
                 is(&site, SA_FACT_origin, "weak");
    if (!right || is(&site, SA_FACT_same_stream, "yes")) continue;
    const sa_verdict_row *row = sa_verdict_find(rules, &site);
    ck_assert_ptr_nonnull(row);
    ck_assert_msg(strcmp(row->category, "unavoidable") == 0, "row '%s' says %s", row->id,
                  row->category);
    ck_assert_str_eq(row->rule, "SA104");
    judged++;
  }
  ck_assert_int_gt(judged, 50000);
}
END_TEST

/* A call that runs against an engine or an optional contract is never called avoidable unless an
 * order was proved or the streams are one. */
START_TEST(no_avoidable_against_the_contract) {
  uint64_t state = 7;
  for (int i = 0; i < 300000; i++) {
    sa_site_facts site = random_facts(&state);
    if (is(&site, SA_FACT_same_stream, "yes") || is(&site, SA_FACT_origin, "foreign")) continue;
    if (is(&site, SA_FACT_engine, "yes"))
      ck_assert_str_ne(sa_verdict_find(rules, &site)->category, "avoidable");
    bool optional = is(&site, SA_FACT_contract, "optional");
    bool ordered = is(&site, SA_FACT_ordered, "yes") || is(&site, SA_FACT_callers, "ordering");
    if (optional && !ordered && !is(&site, SA_FACT_recorded, "current"))
      ck_assert_str_ne(sa_verdict_find(rules, &site)->category, "avoidable");
  }
}
END_TEST

/* One function, one site, hazards as given. */
typedef struct {
  sa_ir_unit unit;
  sa_facts facts;
  sa_result result;
} scene;

static void make_scene(scene *s, const char *facts, bool justified) {
  *s = (scene){0};
  s->unit.path = "src/a.cpp";
  s->unit.language = "cpp";
  sa_push(arena, &s->unit.files, "src/a.cpp");
  sa_push(arena, &s->unit.funcs, ((sa_ir_func){.name = "run", .parent = SA_NO_INDEX}));
  sa_site_facts site = facts_from(facts);
  site.site = 0;
  site.func = 0;
  sa_ir_site origin = {.kind = SA_SITE_CALL, .at = site.at, .func = 0, .justified = justified};
  sa_push(arena, &s->unit.sites, origin);
  sa_push(arena, &s->facts.sites, site);
}

static void classify(scene *s, const char *stable_api) {
  sa_classify_options options = {stable_api};
  s->result.rules = rules;
  sa_classify(&s->result, arena, &s->unit, &s->facts, rules, &options);
  sa_result_sort(&s->result);
}

static void add_hazard(scene *s, sa_hazard_kind kind, uint32_t site, uint32_t line, bool certain) {
  sa_hazard hazard = {.kind = kind,
                      .site_facts = site,
                      .at = {0, line, 3, line, 20, 0, 0},
                      .certain = certain,
                      .block = "x",
                      .stream = "side",
                      .other_stream = "copy"};
  sa_push(arena, &s->facts.hazards, hazard);
}

static const char *rules_found(const scene *s) {
  char *text = "";
  for (uint32_t i = 0; i < s->result.findings.n; i++)
    text = sa_printf(arena, "%s%s%s", text, i > 0 ? " " : "", s->result.findings.at[i].rule->id);
  return text;
}

START_TEST(finding_says_who_what_where) {
  scene s;
  make_scene(&s, "origin=local recorded=side side_use=yes release=reset", false);
  s.facts.sites.at[0].release_at = (sa_range){0, 14, 3, 14, 12, 0, 0};
  sa_push(arena, &s.facts.sites.at[0].evidence,
          ((sa_evidence){SA_ROLE_RELEASE, {0, 14, 3, 14, 12, 0, 0}, "'x' is reset"}));
  sa_push(arena, &s.facts.sites.at[0].evidence,
          ((sa_evidence){SA_ROLE_CONTEXT, {0}, "nowhere in particular"}));
  classify(&s, NULL);
  ck_assert_str_eq(rules_found(&s), "SA101");
  const sa_finding *finding = &s.result.findings.at[0];
  const sa_site *site = &s.result.sites.at[0];
  ck_assert_int_eq(finding->level, SA_WARNING);
  ck_assert_str_eq(finding->message,
                   "Recording 'x' can be avoided, its release stands in this function. 'x' is made "
                   "on 'main', used on 'side', and released where its handle is reset (line 14).");
  ck_assert_str_eq(finding->site, site->id);
  ck_assert_str_eq(finding->function, "run");
  ck_assert_str_eq(finding->help, site->advice);
  ck_assert_uint_eq(finding->evidence.n, 2);
  ck_assert_str_eq(finding->evidence.at[0].role, "release");
  ck_assert_str_eq(finding->evidence.at[1].at.file, "src/a.cpp");
  ck_assert_uint_eq(finding->evidence.at[1].at.line, 10);
  ck_assert_str_eq(site->category, "avoidable");
  ck_assert_str_eq(site->verdict, "explicit-release");
  ck_assert_str_eq(site->release_kind, "reset");
  ck_assert_uint_eq(site->release_line, 14);
  ck_assert_uint_eq(site->proved.n, 1);
  ck_assert_str_eq(site->proved.at[0], "release: reset");
}
END_TEST

START_TEST(unknown_names_become_phrases) {
  scene s;
  make_scene(&s, "origin=local release=reset", false);
  sa_site_facts *site = &s.facts.sites.at[0];
  site->block = site->creation_stream = site->recorded_stream = "";
  classify(&s, NULL);
  ck_assert_str_eq(
      s.result.findings.at[0].message,
      "Recording the block can be avoided, its release stands in this function. The "
      "block is made on the creation stream, used on the recorded stream, and released "
      "where its handle is reset.");
}
END_TEST

START_TEST(messages_leave_no_placeholder) {
  for (int i = 0; i < SHAPE_COUNT; i++) {
    scene s;
    make_scene(&s, SHAPES[i].facts, false);
    classify(&s, NULL);
    ck_assert_uint_eq(s.result.findings.n, SHAPES[i].rule != NULL);
    ck_assert_ptr_null(strchr(s.result.sites.at[0].advice, '{'));
    for (uint32_t f = 0; f < s.result.findings.n; f++) {
      const char *message = s.result.findings.at[f].message;
      ck_assert_msg(strpbrk(message, "{}") == NULL, "%s", message);
      ck_assert_msg(message[strlen(message) - 1] == '.', "%s", message);
      ck_assert_msg(strstr(message, ". ") != NULL, "no title: %s", message);
    }
  }
}
END_TEST

START_TEST(hazard_messages_leave_no_placeholder) {
  for (int kind = 0; kind < SA_HAZARD_COUNT; kind++) {
    scene s;
    make_scene(&s, "", false);
    add_hazard(&s, kind, SA_NO_INDEX, 30, true);
    classify(&s, NULL);
    ck_assert_uint_eq(s.result.findings.n, 1);
    ck_assert_ptr_null(strpbrk(s.result.findings.at[0].message, "{}"));
    ck_assert_ptr_null(s.result.findings.at[0].site);
  }
}
END_TEST

START_TEST(low_confidence_lowers_the_level) {
  scene s;
  make_scene(&s, "origin=param direction=input recorded=side", false);
  classify(&s, NULL);
  ck_assert_str_eq(rules_found(&s), "SA101");
  ck_assert_int_eq(s.result.findings.at[0].level, SA_NOTE);
}
END_TEST

START_TEST(justified_call_is_silent) {
  scene s;
  make_scene(&s, "origin=weak callback=yes", true);
  classify(&s, NULL);
  ck_assert_str_eq(rules_found(&s), "");
  ck_assert_str_eq(s.result.sites.at[0].category, "unavoidable");
  ck_assert(s.result.sites.at[0].justified);
  make_scene(&s, "origin=weak callback=yes", false);
  classify(&s, NULL);
  ck_assert_str_eq(rules_found(&s), "SA104");
}
END_TEST

/* A comment that gives a reason answers the advice, but not what is wrong or without effect. */
START_TEST(a_reason_answers_the_advice_only) {
  scene s;
  make_scene(&s, "origin=local release=reset recorded=side", true);
  classify(&s, NULL);
  ck_assert_str_eq(rules_found(&s), "");
  ck_assert_str_eq(s.result.sites.at[0].category, "avoidable");
  make_scene(&s, "origin=local made=seen same_stream=yes", true);
  classify(&s, NULL);
  ck_assert_str_eq(rules_found(&s), "SA201");
}
END_TEST

/* Nothing about safety stands on a call that is right: neither its own hazards nor one on its line.
 */
START_TEST(hazards_are_silent_on_unavoidable_sites) {
  static const sa_hazard_kind kinds[] = {SA_HAZARD_UNORDERED_RELEASE, SA_HAZARD_READ_BEFORE_READY,
                                         SA_HAZARD_WAIT_ON_WRONG_STREAM,
                                         SA_HAZARD_WRONG_STREAM_RECORDED, SA_HAZARD_EVENT_ORDER};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    for (int own = 0; own < 2; own++) {
      scene s;
      make_scene(&s, "recorded=remembered", false);
      add_hazard(&s, kinds[i], own ? 0 : SA_NO_INDEX, own ? 12 : 10, true);
      classify(&s, NULL);
      ck_assert_str_eq(rules_found(&s), "SA104");
    }
  scene s;
  make_scene(&s, "recorded=remembered", false);
  add_hazard(&s, SA_HAZARD_UNORDERED_RELEASE, SA_NO_INDEX, 12, true);
  add_hazard(&s, SA_HAZARD_DEFERRED_IN_CAPTURE, 0, 10, true);
  classify(&s, NULL);
  ck_assert_str_eq(rules_found(&s), "SA104 SA501 SA301");
}
END_TEST

START_TEST(wrong_stream_takes_the_verdicts_place) {
  scene s;
  make_scene(&s, "origin=local release=reset", false);
  add_hazard(&s, SA_HAZARD_WRONG_STREAM_RECORDED, 0, 10, true);
  classify(&s, NULL);
  ck_assert_str_eq(rules_found(&s), "SA203");
  ck_assert_int_eq(s.result.findings.at[0].level, SA_ERROR);
  make_scene(&s, "origin=local release=reset", false);
  add_hazard(&s, SA_HAZARD_WRONG_STREAM_RECORDED, 0, 10, false);
  classify(&s, NULL);
  ck_assert_str_eq(rules_found(&s), "SA101");
  make_scene(&s, "", false);
  add_hazard(&s, SA_HAZARD_WRONG_STREAM_RECORDED, 0, 10, false);
  classify(&s, NULL);
  ck_assert_str_eq(rules_found(&s), "SA203");
  ck_assert_int_eq(s.result.findings.at[0].level, SA_WARNING);
}
END_TEST

START_TEST(configured_stable_changes_the_verdict) {
  scene s;
  make_scene(&s, "origin=local direction=output escape=returned", false);
  classify(&s, NULL);
  ck_assert_str_eq(s.result.sites.at[0].category, "api-redesignable");
  make_scene(&s, "origin=local direction=output escape=returned", false);
  classify(&s, "stable");
  ck_assert_str_eq(s.result.sites.at[0].category, "unavoidable");
  make_scene(&s, "origin=param callers=ordering surface=exported", false);
  classify(&s, "internal");
  ck_assert_str_eq(rules_found(&s), "SA202");
}
END_TEST

START_TEST(nothing_is_silent) {
  scene s;
  make_scene(&s, "", false);
  s.facts.sites.at[0].analysed = false;
  s.facts.sites.at[0].reason = "the receiver's type is not known";
  sa_push(arena, &s.unit.sites,
          ((sa_ir_site){.kind = SA_SITE_CALL, .at = {0, 20, 1, 20, 9, 0, 0}, .func = SA_NO_INDEX}));
  sa_push(arena, &s.unit.sites,
          ((sa_ir_site){.kind = SA_SITE_IMPLEMENTATION, .at = {0, 30, 1, 30, 9, 0, 0}, .func = 0}));
  classify(&s, NULL);
  ck_assert_uint_eq(s.result.sites.n, 3);
  ck_assert_str_eq(rules_found(&s), "SA901 SA901");
  ck_assert_ptr_null(s.result.sites.at[0].category);
  ck_assert_ptr_nonnull(s.result.sites.at[1].reason);
  ck_assert_str_eq(s.result.sites.at[2].kind, "implementation");
  ck_assert(s.result.sites.at[2].analysed);
}
END_TEST

START_TEST(declarations_have_no_category) {
  scene s;
  make_scene(&s, "origin=local release=reset", false);
  s.facts.sites.at[0].kind = SA_SITE_FORWARDING;
  classify(&s, NULL);
  ck_assert_ptr_null(s.result.sites.at[0].category);
  ck_assert_str_eq(rules_found(&s), "");
}
END_TEST

START_TEST(ids_are_stable_and_distinct) {
  scene s;
  make_scene(&s, "", false);
  sa_site_facts twin = s.facts.sites.at[0], other = twin;
  twin.at.line = twin.at.end_line = 11;
  twin.site = SA_NO_INDEX;
  other.block = "y";
  other.at.line = other.at.end_line = 12;
  other.site = SA_NO_INDEX;
  sa_push(arena, &s.facts.sites, twin);
  sa_push(arena, &s.facts.sites, other);
  classify(&s, NULL);
  const char *ids[3];
  for (int i = 0; i < 3; i++) ids[i] = s.result.sites.at[i].id;
  ck_assert_str_ne(ids[0], ids[1]);
  ck_assert_str_ne(ids[0], ids[2]);
  ck_assert_str_ne(ids[1], ids[2]);
  scene moved;
  make_scene(&moved, "", false);
  moved.facts.sites.at[0].at.line = 99;
  classify(&moved, NULL);
  ck_assert_str_eq(moved.result.sites.at[0].id, ids[0]);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("classify");
  TCase *table = tcase_create("table");
  tcase_add_checked_fixture(table, setup, teardown);
  tcase_set_timeout(table, 60);
  tcase_add_loop_test(table, shape_gets_its_row, 0, SHAPE_COUNT);
  tcase_add_test(table, every_row_has_a_shape);
  tcase_add_test(table, rows_name_rules_that_exist_and_fit);
  tcase_add_test(table, no_flag_where_record_stream_is_right);
  tcase_add_test(table, no_avoidable_against_the_contract);
  suite_add_tcase(suite, table);
  TCase *findings = tcase_create("findings");
  tcase_add_checked_fixture(findings, setup, teardown);
  tcase_add_test(findings, finding_says_who_what_where);
  tcase_add_test(findings, unknown_names_become_phrases);
  tcase_add_test(findings, messages_leave_no_placeholder);
  tcase_add_test(findings, hazard_messages_leave_no_placeholder);
  tcase_add_test(findings, low_confidence_lowers_the_level);
  tcase_add_test(findings, justified_call_is_silent);
  tcase_add_test(findings, a_reason_answers_the_advice_only);
  tcase_add_test(findings, hazards_are_silent_on_unavoidable_sites);
  tcase_add_test(findings, wrong_stream_takes_the_verdicts_place);
  tcase_add_test(findings, configured_stable_changes_the_verdict);
  tcase_add_test(findings, nothing_is_silent);
  tcase_add_test(findings, declarations_have_no_category);
  tcase_add_test(findings, ids_are_stable_and_distinct);
  suite_add_tcase(suite, findings);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
