/* The JSON contract: a golden text, and the shipped schema read and applied. */
#include "report_sample.h"

#include <jansson.h>
#include <regex.h>

static json_t *schema;

static bool has_type(const json_t *value, const char *type) {
  static const struct {
    const char *name;
    json_type types[2];
  } table[] = {{"object", {JSON_OBJECT, JSON_OBJECT}}, {"array", {JSON_ARRAY, JSON_ARRAY}},
               {"string", {JSON_STRING, JSON_STRING}}, {"integer", {JSON_INTEGER, JSON_INTEGER}},
               {"boolean", {JSON_TRUE, JSON_FALSE}},   {"null", {JSON_NULL, JSON_NULL}}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].name, type) == 0)
      return json_typeof(value) == table[i].types[0] || json_typeof(value) == table[i].types[1];
  ck_abort_msg("the schema has an unknown type '%s'", type);
}

static bool type_fits(const json_t *rule, const json_t *value) {
  if (json_is_string(rule)) return has_type(value, json_string_value(rule));
  size_t i;
  json_t *one;
  json_array_foreach(rule, i, one) if (has_type(value, json_string_value(one))) return true;
  return false;
}

static bool contains(const json_t *list, const json_t *value) {
  size_t i;
  json_t *one;
  json_array_foreach(list, i, one) if (json_equal(one, value)) return true;
  return false;
}

static bool pattern_fits(const char *pattern, const char *text) {
  regex_t regex;
  ck_assert_int_eq(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
  bool fits = regexec(&regex, text, 0, NULL, 0) == 0;
  regfree(&regex);
  return fits;
}

static const char *check(const json_t *rule, const json_t *value, const char *path);

static const char *check_object(const json_t *rule, const json_t *value, const char *path) {
  size_t i;
  json_t *key, *member;
  const char *name;
  json_array_foreach(json_object_get(rule, "required"), i,
                     key) if (json_object_get(value, json_string_value(key)) ==
                              NULL) return sa_printf(arena, "%s lacks %s", path,
                                                     json_string_value(key));
  json_object_foreach((json_t *)value, name, member) {
    const json_t *inner = json_object_get(json_object_get(rule, "properties"), name);
    if (inner == NULL) return sa_printf(arena, "%s has %s", path, name);
    const char *why = check(inner, member, sa_printf(arena, "%s.%s", path, name));
    if (why != NULL) return why;
  }
  return NULL;
}

static const char *check_scalar(const json_t *rule, const json_t *value, const char *path) {
  const json_t *type = json_object_get(rule, "type"), *least = json_object_get(rule, "minimum");
  const json_t *list = json_object_get(rule, "enum"), *only = json_object_get(rule, "const");
  const json_t *pattern = json_object_get(rule, "pattern");
  const json_t *length = json_object_get(rule, "minLength");
  if (type != NULL && !type_fits(type, value)) return sa_printf(arena, "%s: type", path);
  if (list != NULL && !contains(list, value)) return sa_printf(arena, "%s: enum", path);
  if (only != NULL && !json_equal(only, value)) return sa_printf(arena, "%s: const", path);
  if (least != NULL && json_is_integer(value) &&
      json_integer_value(value) < json_integer_value(least))
    return sa_printf(arena, "%s: minimum", path);
  if (length != NULL && json_is_string(value) && json_string_length(value) == 0)
    return sa_printf(arena, "%s: empty", path);
  if (pattern != NULL && !pattern_fits(json_string_value(pattern), json_string_value(value)))
    return sa_printf(arena, "%s: pattern", path);
  return NULL;
}

/* NULL when the value meets the rule, else what is wrong. */
static const char *check(const json_t *rule, const json_t *value, const char *path) {
  const json_t *reference = json_object_get(rule, "$ref");
  if (reference != NULL) {
    const char *name = strrchr(json_string_value(reference), '/') + 1;
    rule = json_object_get(json_object_get(schema, "$defs"), name);
    ck_assert_msg(rule != NULL, "no definition '%s'", name);
  }
  size_t i;
  json_t *one;
  const json_t *any = json_object_get(rule, "anyOf");
  const char *why = NULL;
  json_array_foreach(any, i, one) if ((why = check(one, value, path)) == NULL) return NULL;
  if (any != NULL) return why;
  if ((why = check_scalar(rule, value, path)) != NULL) return why;
  if (json_is_object(value)) return check_object(rule, value, path);
  const json_t *items = json_object_get(rule, "items");
  json_array_foreach(value, i, one) {
    why = check(items, one, sa_printf(arena, "%s[%zu]", path, i));
    if (why != NULL) return why;
  }
  return NULL;
}

static json_t *parse(const char *text) {
  json_error_t error;
  json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(value != NULL, "%d:%d: %s", error.line, error.column, error.text);
  return value;
}

static void load_schema(void) {
  json_error_t error;
  schema = json_load_file("docs/schema/sa-lint-1.schema.json", JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(schema != NULL, "%d:%d: %s", error.line, error.column, error.text);
}

START_TEST(output_meets_the_schema) {
  load_schema();
  result.findings.n = 4;
  json_t *value = parse(report_of("json", &result, (sa_report_options){0}));
  const char *why = check(schema, value, "$");
  ck_assert_msg(why == NULL, "%s", why);
  json_decref(value);
  sa_result empty = {.tool_version = "0.1.0", .libclang_version = "", .rules = &rules};
  value = parse(report_of("json", &empty, (sa_report_options){0}));
  why = check(schema, value, "$");
  ck_assert_msg(why == NULL, "%s", why);
  json_decref(value);
  json_decref(schema);
}
END_TEST

/* The check itself must be able to fail. */
START_TEST(schema_refuses_what_is_wrong) {
  static const char *const wrong[][2] = {{"\"schema\":\"sa-lint/1\"", "\"schema\":\"sa-lint/2\""},
                                         {"\"kind\":\"call\"", "\"kind\":\"cull\""},
                                         {"\"analysed\":true", "\"analysed\":1"},
                                         {"\"justified\":false,", ""},
                                         {"\"line\":2", "\"line\":0"},
                                         {"00000000000000a1", "short"},
                                         {"\"safe\":true", "\"sound\":true"},
                                         {"\"role\":\"record\"", "\"role\":\"hint\""},
                                         {"\"fix\":null", "\"fix\":[]"},
                                         {"\"rule\":\"SA101\"", "\"rule\":\"X\""}};
  load_schema();
  result.findings.n = 4;
  const char *good = report_of("json", &result, (sa_report_options){0});
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const char *at = strstr(good, wrong[i][0]);
    ck_assert_msg(at != NULL, "%s", wrong[i][0]);
    char *bad =
        sa_printf(arena, "%.*s%s%s", (int)(at - good), good, wrong[i][1], at + strlen(wrong[i][0]));
    json_t *value = parse(bad);
    ck_assert_msg(check(schema, value, "$") != NULL, "accepts %s", wrong[i][1]);
    json_decref(value);
  }
  json_decref(schema);
}
END_TEST

START_TEST(json_is_this) {
  static const char expected[] =
      "{\"schema\":\"sa-lint/1\",\"tool\":{\"name\":\"sa-lint\",\"version\":\"0.1.0\",\"libclang\":"
      "\"19.1.7\"},\"sites\":[{\"id\":\"00000000000000a1\",\"file\":\"src/a b.cpp\",\"line\":2,"
      "\"column\":13,\"endLine\":2,\"endColumn\":34,\"language\":\"cpp\",\"function\":\"run\","
      "\"api\":\"at::Tensor::record_stream\",\"kind\":\"call\",\"analysed\":true,\"reason\":null,"
      "\"category\":\"avoidable\",\"effect\":\"protects\",\"confidence\":\"high\",\"block\":\"x\","
      "\"creationStream\":\"main\",\"recordedStream\":\"side\",\"release\":{\"kind\":\"reset\","
      "\"line\":3},\"justified\":false,\"verdict\":\"explicit-release\",\"evidence\":[{\"role\":"
      "\"record\",\"file\":\"src/a b.cpp\",\"line\":2,\"column\":13,\"text\":\"'x' is recorded on "
      "'side'\"},{\"role\":\"release\",\"file\":\"src/a b.cpp\",\"line\":3,\"column\":3,\"text\":"
      "\"'x' is reset\"}],\"proved\":[\"release: reset\"],\"assumed\":[\"'side_work' uses the "
      "stream "
      "it is given\"],\"missing\":[],\"advice\":\"use an "
      "event\",\"fix\":{\"safe\":true,\"edits\":[{"
      "\"file\":\"src/a b.cpp\",\"startLine\":2,\"startColumn\":13,\"endLine\":2,\"endColumn\":35,"
      "\"text\":\"\"}]}}],\"findings\":[{\"rule\":\"SA101\",\"level\":\"warning\",\"file\":\"src/a "
      "b.cpp\",\"line\":2,\"column\":13,\"endLine\":2,\"endColumn\":34,\"function\":\"run\","
      "\"message\":\"Title of it. More [words](see there), 100%.\",\"help\":\"use an event\","
      "\"site\":\"00000000000000a1\",\"key\":\"f0042595330396a5:1\",\"evidence\":[]}],"
      "\"notifications\":[{\"level\":\"error\","
      "\"file\":\"src/broken.cpp\",\"line\":7,\"text\":\"cannot be read\"},{\"level\":\"note\","
      "\"file\":null,\"line\":0,\"text\":\"no build folder\"}],\"summary\":{\"files\":2,"
      "\"filesSkipped\":1,\"filesFailed\":1,\"sites\":1,\"analysed\":1,\"suppressed\":0,"
      "\"baselined\":null,\"unchanged\":null,\"byCategory\":{"
      "\"avoidable\":"
      "1,\"api-redesignable\":0,\"hard-to-avoid\":0,\"unavoidable\":0}}}\n";
  result.sites.n = result.findings.n = 1;
  result.findings.at[0].evidence.n = 0;
  ck_assert_str_eq(report_of("json", &result, (sa_report_options){0}), expected);
}
END_TEST

START_TEST(bad_bytes_stay_valid_json) {
  result.sites.at[0].block = "x\xff\x01\"\\";
  json_t *value = parse(report_of("json", &result, (sa_report_options){0}));
  const json_t *site = json_array_get(json_object_get(value, "sites"), 0);
  ck_assert_str_eq(json_string_value(json_object_get(site, "block")), "x\xef\xbf\xbd\x01\"\\");
  json_decref(value);
}
END_TEST

START_TEST(full_disk_is_reported) {
  check_full_disk("json");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {output_meets_the_schema, schema_refuses_what_is_wrong, json_is_this,
                                bad_bytes_stay_valid_json, full_disk_is_reported};
  return run_suite("report_json", tests, sizeof tests / sizeof *tests);
}
