/* SARIF: the numbered bar, read back with another library; line hashes against values that were
 * computed by an independent program. */
#include "report_sample.h"

#include "report/digest.h"

#include <jansson.h>

static json_t *sarif_log;

static const json_t *run_of(sa_report_options options) {
  char *text = report_of("sarif", &result, options);
  ck_assert_str_eq(text, report_of("sarif", &result, options));
  json_error_t error;
  sarif_log = json_loads(text, JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(sarif_log != NULL, "%d:%d: %s", error.line, error.column, error.text);
  const json_t *runs = json_object_get(sarif_log, "runs");
  ck_assert_uint_eq(json_array_size(runs), 1);
  return json_array_get(runs, 0);
}

/* The value at a path such as "results.0.level"; NULL when there is none. */
static const json_t *at(const json_t *value, const char *path) {
  char *copy = sa_strdup(arena, path), *rest = copy;
  for (char *part; value != NULL && (part = strsep(&rest, ".")) != NULL;)
    value = json_is_array(value) ? json_array_get(value, (size_t)atoi(part))
                                 : json_object_get(value, part);
  return value;
}

static const char *text_at(const json_t *value, const char *path) {
  const json_t *found = at(value, path);
  ck_assert_msg(json_is_string(found), "no text at %s", path);
  return json_string_value(found);
}

static int number_at(const json_t *value, const char *path) {
  const json_t *found = at(value, path);
  ck_assert_msg(json_is_integer(found), "no number at %s", path);
  return (int)json_integer_value(found);
}

START_TEST(head_of_the_log) {
  const json_t *run = run_of((sa_report_options){0});
  ck_assert_str_eq(text_at(sarif_log, "version"), "2.1.0");
  ck_assert_str_eq(text_at(sarif_log, "$schema"), "https://json.schemastore.org/sarif-2.1.0.json");
  ck_assert_str_eq(text_at(run, "tool.driver.name"), "sa-lint");
  ck_assert_str_eq(text_at(run, "tool.driver.semanticVersion"), "0.1.0");
  ck_assert_str_eq(text_at(run, "columnKind"), "utf16CodeUnits");
  ck_assert_str_eq(text_at(run, "automationDetails.id"), "sa-lint/");
  ck_assert_ptr_null(at(run, "originalUriBaseIds.%SRCROOT%.uri"));
  json_decref(sarif_log);
  run = run_of((sa_report_options){.category = "nightly"});
  ck_assert_str_eq(text_at(run, "automationDetails.id"), "sa-lint/nightly/");
  json_decref(sarif_log);
}
END_TEST

START_TEST(rules_are_complete_and_do_not_depend_on_results) {
  const json_t *run = run_of((sa_report_options){0});
  const json_t *list = at(run, "tool.driver.rules");
  ck_assert_uint_eq(json_array_size(list), 3);
  char *with = json_dumps(at(run, "tool.driver"), 0);
  ck_assert_str_eq(text_at(list, "0.name"), "AvoidableRecordStream");
  ck_assert_str_eq(text_at(list, "0.defaultConfiguration.level"), "warning");
  ck_assert_str_eq(text_at(list, "2.properties.precision"), "medium");
  for (size_t i = 0; i < 3; i++) {
    const json_t *rule = json_array_get(list, i);
    static const char *const parts[] = {"shortDescription.text", "fullDescription.text",
                                        "help.text", "help.markdown", "messageStrings.plain.text"};
    for (int p = 0; p < 5; p++) ck_assert_uint_gt(strlen(text_at(rule, parts[p])), 0);
  }
  json_decref(sarif_log);
  result.findings.n = 0;
  run = run_of((sa_report_options){0});
  char *without = json_dumps(at(run, "tool.driver"), 0);
  ck_assert_str_eq(with, without);
  ck_assert(json_is_array(at(run, "results")));
  ck_assert_uint_eq(json_array_size(at(run, "results")), 0);
  free(with);
  free(without);
  json_decref(sarif_log);
}
END_TEST

START_TEST(result_has_place_and_snippet) {
  const json_t *run = run_of((sa_report_options){0});
  const json_t *first = at(run, "results.0");
  const json_t *place = at(first, "locations.0.physicalLocation");
  ck_assert_uint_eq(json_array_size(at(first, "locations")), 1);
  ck_assert_str_eq(text_at(first, "ruleId"), "SA101");
  ck_assert_int_eq(number_at(first, "ruleIndex"), 0);
  ck_assert_str_eq(text_at(first, "level"), "warning");
  ck_assert_str_eq(text_at(place, "artifactLocation.uri"), "src/a%20b.cpp");
  ck_assert_str_eq(text_at(place, "artifactLocation.uriBaseId"), "%SRCROOT%");
  ck_assert_int_eq(number_at(place, "artifactLocation.index"), 0);
  ck_assert_int_eq(number_at(place, "region.startLine"), 2);
  ck_assert_int_eq(number_at(place, "region.startColumn"), 11);
  ck_assert_int_eq(number_at(place, "region.endLine"), 2);
  ck_assert_int_eq(number_at(place, "region.endColumn"), 32);
  ck_assert_str_eq(text_at(place, "region.snippet.text"), "x.record_stream(side)");
  ck_assert_int_eq(number_at(place, "contextRegion.startLine"), 1);
  ck_assert_int_eq(number_at(place, "contextRegion.endLine"), 5);
  ck_assert_ptr_nonnull(
      strstr(text_at(place, "contextRegion.snippet.text"), "side);\r\n  x.reset"));
  ck_assert_str_eq(text_at(first, "locations.0.logicalLocations.0.fullyQualifiedName"), "run");
  json_decref(sarif_log);
}
END_TEST

START_TEST(message_links_lead_somewhere) {
  const json_t *run = run_of((sa_report_options){0});
  const json_t *first = at(run, "results.0");
  ck_assert_str_eq(text_at(first, "message.text"),
                   "A summary. 'Title of it. More [words] (see there), 100%.' "
                   "Path: '[record](1), [release](2)'.");
  ck_assert_uint_eq(json_array_size(at(first, "relatedLocations")), 2);
  ck_assert_int_eq(number_at(first, "relatedLocations.1.id"), 2);
  ck_assert_str_eq(text_at(first, "relatedLocations.1.message.text"), "'x' is reset");
  ck_assert_int_eq(number_at(first, "relatedLocations.1.physicalLocation.region.startLine"), 3);
  const json_t *flow = at(first, "codeFlows.0.threadFlows.0.locations");
  ck_assert_uint_eq(json_array_size(flow), 2);
  ck_assert_str_eq(text_at(flow, "1.importance"), "essential");
  ck_assert_ptr_null(at(run, "results.1.codeFlows"));
  json_decref(sarif_log);
}
END_TEST

START_TEST(one_line_and_rule_is_one_result) {
  const json_t *run = run_of((sa_report_options){0});
  ck_assert_uint_eq(json_array_size(at(run, "results")), 3); /* 5 findings, 1 of them outside */
  ck_assert_int_eq(number_at(run, "results.2.occurrenceCount"), 2);
  ck_assert_ptr_null(at(run, "results.0.occurrenceCount"));
  json_decref(sarif_log);
}
END_TEST

START_TEST(run_tells_of_failures_and_outside_files) {
  const json_t *run = run_of((sa_report_options){0});
  const json_t *invocation = at(run, "invocations.0");
  ck_assert(json_is_false(at(invocation, "executionSuccessful")));
  const json_t *notes = at(invocation, "toolExecutionNotifications");
  ck_assert_uint_eq(json_array_size(notes), 2);
  ck_assert_str_eq(text_at(invocation, "toolConfigurationNotifications.0.message.text"),
                   "no build folder");
  ck_assert_str_eq(text_at(notes, "0.level"), "error");
  ck_assert_str_eq(text_at(notes, "0.descriptor.id"), "run-error");
  ck_assert_str_eq(text_at(notes, "0.locations.0.physicalLocation.artifactLocation.uri"),
                   "src/broken.cpp");
  ck_assert_ptr_null(at(notes, "1.locations"));
  ck_assert_ptr_nonnull(strstr(text_at(notes, "1.message.text"), "outside the project root"));
  json_decref(sarif_log);
  result.files_failed = 0;
  run = run_of((sa_report_options){0});
  ck_assert(json_is_true(at(run, "invocations.0.executionSuccessful")));
  json_decref(sarif_log);
}
END_TEST

START_TEST(files_with_results_are_listed_once) {
  const json_t *run = run_of((sa_report_options){0});
  ck_assert_uint_eq(json_array_size(at(run, "artifacts")), 1);
  ck_assert_int_eq(number_at(run, "artifacts.0.length"), (int)strlen(SOURCE));
  ck_assert_str_eq(text_at(run, "artifacts.0.hashes.sha-256"),
                   "f6cb519a406bc384c5dbb46553abd61815f8ce8e370a3f3685199e062a95367b");
  ck_assert_str_eq(text_at(run, "artifacts.0.sourceLanguage"), "cplusplus");
  json_decref(sarif_log);
}
END_TEST

START_TEST(safe_fix_is_offered) {
  const json_t *run = run_of((sa_report_options){0});
  const json_t *change = at(run, "results.0.fixes.0.artifactChanges.0");
  ck_assert_str_eq(text_at(change, "artifactLocation.uri"), "src/a%20b.cpp");
  ck_assert_int_eq(number_at(change, "replacements.0.deletedRegion.startColumn"), 11);
  ck_assert_int_eq(number_at(change, "replacements.0.deletedRegion.endColumn"), 33);
  ck_assert_str_eq(text_at(change, "replacements.0.insertedContent.text"), "");
  ck_assert_str_eq(text_at(run, "results.0.fixes.0.description.text"), "use an event");
  json_decref(sarif_log);
  result.sites.at[0].fix_safe = false;
  run = run_of((sa_report_options){0});
  ck_assert_ptr_null(at(run, "results.0.fixes"));
  json_decref(sarif_log);
}
END_TEST

START_TEST(line_hashes_are_githubs) {
  static const char *const expected[] = {"1db5ce765f749407:1", "b023738e115f5405:1",
                                         "72eff4eaf1ff1abf:1", "9daa7ac1d157e851:1",
                                         "32dce9ccfdbc9d3e:1", "c129715d7a2bc9a3:1"};
  const json_t *run = run_of((sa_report_options){0});
  ck_assert_str_eq(text_at(run, "results.0.partialFingerprints.primaryLocationLineHash"),
                   expected[1]);
  json_decref(sarif_log);
  sa_lines *lines = sa_lines_new(root);
  sa_file_lines *file = sa_lines_of(lines, "src/a b.cpp");
  ck_assert_uint_eq(file->nlines, sizeof expected / sizeof *expected);
  for (uint32_t i = 0; i < file->nlines; i++)
    ck_assert_str_eq(sa_line_fingerprint(file, i + 1), expected[i]);
  ck_assert_ptr_null(sa_line_fingerprint(file, 0));
  ck_assert_ptr_null(sa_line_fingerprint(file, file->nlines + 1));
  sa_lines_free(lines);
}
END_TEST

/* Byte-order mark, lone CR, CR CR LF, blank and equal lines, bad bytes, no final newline, a long
 * line. */
START_TEST(line_hashes_of_odd_files) {
  static const char *const expected[] = {
      "4a7afe78e512310f:1", "e6d78be1b640f743:1", "6507119958432a75:1", "a1e56523c29490af:1",
      "6e07782520585711:1", "a769d01468cdfd51:1", "91de98614da59b91:1", "e8a2394b7c0d32b5:1",
      "74a385da184ea792:1", "e382327f843da5e0:1", "877bc0cd997bcf40:1", "cc32a21efe113210:1"};
  char *text = sa_printf(arena, "%s%0300d\n\xff\xfe\tend",
                         "\xef\xbb\xbf"
                         "int a;\n\n\n \t\nsame();\n  same();\nlone\rcr\r\r\nsame();\n",
                         7);
  write_source("src/a b.cpp", text);
  sa_lines *lines = sa_lines_new(root);
  sa_file_lines *file = sa_lines_of(lines, "src/a b.cpp");
  ck_assert_uint_eq(file->nlines, sizeof expected / sizeof *expected);
  for (uint32_t i = 0; i < file->nlines; i++)
    ck_assert_str_eq(sa_line_fingerprint(file, i + 1), expected[i]);
  sa_lines_free(lines);
}
END_TEST

START_TEST(equal_line_hashes_are_numbered) {
  char *text = "";
  for (int i = 0; i < 30; i++) text = sa_printf(arena, "%sabcdefghij\n", text);
  write_source("src/a b.cpp", text);
  sa_lines *lines = sa_lines_new(root);
  sa_file_lines *file = sa_lines_of(lines, "src/a b.cpp");
  ck_assert_str_eq(sa_line_fingerprint(file, 1), "231d0c32b8bb567e:1");
  ck_assert_str_eq(sa_line_fingerprint(file, 20), "231d0c32b8bb567e:20");
  ck_assert_str_eq(sa_line_fingerprint(file, 30), "55c26d25c3e94b84:1");
  sa_lines_free(lines);
}
END_TEST

START_TEST(site_key_has_no_line_number) {
  const json_t *run = run_of((sa_report_options){0});
  char *before = sa_strdup(arena, text_at(run, "results.0.partialFingerprints.saLintSite/v1"));
  ck_assert_str_ne(before, text_at(run, "results.1.partialFingerprints.saLintSite/v1"));
  json_decref(sarif_log);
  write_source("src/a b.cpp", sa_printf(arena, "// one line more\n%s", SOURCE));
  for (uint32_t i = 0; i < result.findings.n; i++) {
    result.findings.at[i].at.line++;
    result.findings.at[i].at.end_line++;
  }
  run = run_of((sa_report_options){0});
  ck_assert_str_eq(before, text_at(run, "results.0.partialFingerprints.saLintSite/v1"));
  json_decref(sarif_log);
}
END_TEST

START_TEST(sha256_of_known_texts) {
  char hex[65];
  sa_sha256_hex(hex, "", 0);
  ck_assert_str_eq(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  sa_sha256_hex(hex, "abc", 3);
  ck_assert_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  char *long_text = sa_alloc(arena, 1000000);
  memset(long_text, 'a', 1000000);
  sa_sha256_hex(hex, long_text, 1000000);
  ck_assert_str_eq(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
END_TEST

START_TEST(full_disk_is_reported) {
  check_full_disk("sarif");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {head_of_the_log,
                                rules_are_complete_and_do_not_depend_on_results,
                                result_has_place_and_snippet,
                                message_links_lead_somewhere,
                                one_line_and_rule_is_one_result,
                                run_tells_of_failures_and_outside_files,
                                files_with_results_are_listed_once,
                                safe_fix_is_offered,
                                line_hashes_are_githubs,
                                line_hashes_of_odd_files,
                                equal_line_hashes_are_numbered,
                                site_key_has_no_line_number,
                                sha256_of_known_texts,
                                full_disk_is_reported};
  return run_suite("report_sarif", tests, sizeof tests / sizeof *tests);
}
