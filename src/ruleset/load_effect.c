/* What a call does: operations of the IR with operands named by their place in the call. */
#include "ruleset/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPERANDS = sizeof((sa_effect){0}.operands) / sizeof *(sa_effect){0}.operands };

/* Operands that are streams, and so may be `current`; bit i: operand i. Other operations have none.
 */
static const struct {
  sa_ir_op op;
  uint32_t operands;
} STREAMS[] = {
    {SA_OP_alloc, 1},        {SA_OP_free, 2},          {SA_OP_event_record, 2},
    {SA_OP_event_wait, 1},   {SA_OP_stream_wait, 3},   {SA_OP_sync_stream, 1},
    {SA_OP_event_query, 1},  {SA_OP_host_callback, 1}, {SA_OP_capture_begin, 1},
    {SA_OP_capture_end, 1},  {SA_OP_use, 1},           {SA_OP_record, 2},
    {SA_OP_erase_record, 2},
};

/* Operations that only a frontend makes: they have no meaning as the effect of a call. */
static const sa_ir_op FRONTEND_ONLY[] = {SA_OP_const,    SA_OP_lambda, SA_OP_global,
                                         SA_OP_setfield, SA_OP_end,    SA_OP_call};

static sa_ir_op find_op(const char *name) {
  for (int op = 0; op < SA_OP_COUNT; op++)
    if (strcmp(sa_ir_op_about((sa_ir_op)op)->name, name) == 0) return (sa_ir_op)op;
  return SA_OP_COUNT;
}

static bool frontend_only(sa_ir_op op) {
  for (size_t i = 0; i < sizeof FRONTEND_ONLY / sizeof *FRONTEND_ONLY; i++)
    if (FRONTEND_ONLY[i] == op) return true;
  return false;
}

static uint32_t stream_operands(sa_ir_op op) {
  for (size_t i = 0; i < sizeof STREAMS / sizeof *STREAMS; i++)
    if (STREAMS[i].op == op) return STREAMS[i].operands;
  return 0;
}

/* "arg0", "self", "result", "current", "rest1" */
static bool parse_operand(const char *text, sa_operand *out) {
  static const struct {
    const char *word;
    sa_operand_kind kind;
  } plain[] = {{"self", SA_FROM_SELF}, {"result", SA_FROM_RESULT}, {"current", SA_FROM_CURRENT}};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
    if (strcmp(text, plain[i].word) != 0) continue;
    *out = (sa_operand){.kind = plain[i].kind};
    return true;
  }
  bool rest = strncmp(text, "rest", 4) == 0;
  const char *digits = text + (rest ? 4 : 3);
  if ((!rest && strncmp(text, "arg", 3) != 0) || !isdigit((unsigned char)*digits)) return false;
  char *end;
  unsigned long index = strtoul(digits, &end, 10);
  if (*end != '\0' || index > SA_MAX_ARGS) return false;
  *out = (sa_operand){.kind = rest ? SA_FROM_REST : SA_FROM_ARG, .index = (uint8_t)index};
  return true;
}

static bool load_operand(sa_loader *l, const sa_api *api, const sa_yaml *text, sa_operand *out) {
  if (text->kind != SA_YAML_SCALAR || !parse_operand(text->text, out)) {
    sa_loader_error(l, text, "'%s' is no operand (arg0, rest1, self, result, current)", text->text);
    return false;
  }
  if (out->kind == SA_FROM_SELF && api->kind != SA_API_METHOD && api->kind != SA_API_ATTRIBUTE) {
    sa_loader_error(l, text, "only a method has 'self'");
    return false;
  }
  bool counted = out->kind == SA_FROM_ARG || out->kind == SA_FROM_REST;
  if (counted && api->max_args != SA_ANY_ARGS && out->index >= api->max_args) {
    sa_loader_error(l, text, "'%s': the call has at most %u arguments", text->text, api->max_args);
    return false;
  }
  return true;
}

static bool load_operands(sa_loader *l, const sa_api *api, const sa_yaml *map, sa_effect *effect) {
  sa_texts with = sa_loader_texts(l, map, "with");
  if (with.n > MAX_OPERANDS) {
    sa_loader_error(l, with.at[MAX_OPERANDS], "more than %d operands", MAX_OPERANDS);
    return false;
  }
  for (uint32_t i = 0; i < with.n; i++) {
    sa_operand *operand = &effect->operands[i];
    if (!load_operand(l, api, with.at[i], operand)) return false;
    if (operand->kind == SA_FROM_REST && i + 1 != with.n) {
      sa_loader_error(l, with.at[i], "'%s' must be the last operand", with.at[i]->text);
      return false;
    }
    if (operand->kind == SA_FROM_CURRENT && (stream_operands(effect->op) >> i & 1) == 0) {
      sa_loader_error(l, with.at[i], "operand %u of '%s' is no stream", i,
                      sa_ir_op_about(effect->op)->name);
      return false;
    }
    effect->noperands++;
  }
  return true;
}

static bool same_operand(sa_operand a, sa_operand b) {
  return a.kind == b.kind && a.index == b.index;
}

static bool load_writes(sa_loader *l, const sa_api *api, const sa_yaml *map, sa_effect *effect) {
  sa_texts writes = sa_loader_texts(l, map, "writes");
  for (uint32_t i = 0; i < writes.n; i++) {
    sa_operand operand;
    if (!load_operand(l, api, writes.at[i], &operand)) return false;
    uint32_t before = effect->written;
    for (uint32_t k = 1; k < effect->noperands; k++)
      if (same_operand(effect->operands[k], operand)) effect->written |= 1u << k;
    if (effect->op == SA_OP_use && effect->written != before) continue;
    sa_loader_error(l, writes.at[i],
                    effect->op == SA_OP_use ? "'%s' is written, but is no operand after the stream"
                                            : "'%s': only 'use' writes",
                    writes.at[i]->text);
    return false;
  }
  return true;
}

static bool check_count(sa_loader *l, const sa_yaml *at, const sa_effect *effect) {
  const sa_ir_op_info *op = sa_ir_op_about(effect->op);
  unsigned n = effect->noperands;
  bool open = n > 0 && effect->operands[n - 1].kind == SA_FROM_REST;
  if (open && op->max_args != SA_ANY_ARGS) {
    sa_loader_error(l, at, "'%s' takes %u operands at most, and 'rest' may be any number", op->name,
                    op->max_args);
    return false;
  }
  if ((op->max_args == SA_ANY_ARGS || n <= op->max_args) && (n >= op->min_args || open))
    return true;
  if (op->max_args == SA_ANY_ARGS)
    sa_loader_error(l, at, "'%s' takes %u operands or more, not %u", op->name, op->min_args, n);
  else if (op->min_args == op->max_args)
    sa_loader_error(l, at, "'%s' takes %u operands, not %u", op->name, op->min_args, n);
  else
    sa_loader_error(l, at, "'%s' takes %u to %u operands, not %u", op->name, op->min_args,
                    op->max_args, n);
  return false;
}

static bool load_makes(sa_loader *l, const sa_yaml *map, sa_effect *effect) {
  const sa_yaml *makes = sa_yaml_get(map, "makes");
  if (makes == NULL) return true;
  int kind = sa_type_kind_find(makes->text);
  if (kind >= 0 && effect->has_result) {
    effect->makes = (sa_type)kind;
    return true;
  }
  sa_loader_error(l, makes,
                  kind < 0 ? "'%s' is no kind of type" : "'%s': the operation makes nothing",
                  makes->text);
  return false;
}

static bool load_result(sa_loader *l, const sa_api *api, const sa_yaml *map, sa_effect *effect) {
  const sa_yaml *result = sa_yaml_get(map, "result");
  effect->has_result = sa_ir_op_about(effect->op)->has_result;
  effect->result = (sa_operand){.kind = SA_FROM_RESULT};
  if (result == NULL) return true;
  if (!effect->has_result) {
    sa_loader_error(l, result, "'%s' has no result", sa_ir_op_about(effect->op)->name);
    return false;
  }
  if (!load_operand(l, api, result, &effect->result)) return false;
  if (effect->result.kind != SA_FROM_CURRENT && effect->result.kind != SA_FROM_REST) return true;
  sa_loader_error(l, result, "'%s' cannot be assigned", result->text);
  return false;
}

/* `name` holds the operation, `map` the operands. */
static void load_effect(sa_loader *l, sa_api *api, const sa_yaml *name, const sa_yaml *map) {
  sa_effect effect = {.op = find_op(name->text)};
  if (effect.op == SA_OP_COUNT || frontend_only(effect.op)) {
    sa_loader_error(l, name,
                    effect.op == SA_OP_COUNT ? "no operation is named '%s'"
                                             : "'%s' cannot be the effect of a call",
                    name->text);
    return;
  }
  effect.text = sa_loader_text(map, "text", NULL);
  if (effect.text != NULL && !sa_ir_op_about(effect.op)->has_text) {
    sa_loader_error(l, sa_yaml_get(map, "text"), "'%s' carries no text", name->text);
    return;
  }
  if (load_operands(l, api, map, &effect) && check_count(l, name, &effect) &&
      load_writes(l, api, map, &effect) && load_result(l, api, map, &effect) &&
      load_makes(l, map, &effect))
    sa_push(l->arena, &api->effects, effect);
}

static const sa_key EFFECT_KEYS[] = {{"op", SA_TEXT, true},
                                     {"with", SA_LIST, false},
                                     {"writes", SA_LIST, false},
                                     {"result", SA_TEXT, false},
                                     {"text", SA_TEXT, false},
                                     {"makes", SA_TEXT, false},
                                     {NULL, 0, false}};

void sa_load_effects(sa_loader *l, sa_api *api, const sa_yaml *row) {
  const sa_yaml *does = sa_yaml_get(row, "does");
  if (does->kind == SA_YAML_SCALAR) {
    load_effect(l, api, does, row);
    return;
  }
  static const char *const short_form[] = {"with", "writes", "result", "text", "makes"};
  for (size_t i = 0; i < sizeof short_form / sizeof *short_form; i++)
    if (sa_yaml_get(row, short_form[i]) != NULL)
      sa_loader_error(l, sa_yaml_get(row, short_form[i]),
                      "'%s' belongs into the entries of 'does' when that is a list", short_form[i]);
  for (uint32_t i = 0; i < does->items.n; i++) {
    const sa_yaml *item = does->items.at[i];
    if (sa_loader_check_keys(l, item, EFFECT_KEYS, "an effect"))
      load_effect(l, api, sa_yaml_get(item, "op"), item);
  }
}
