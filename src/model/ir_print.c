#include "model/ir.h"
#include "model/ir_words.h"

#include <stdio.h>
#include <string.h>

const char *const sa_ir_reg_words[] = {"temp", "param", "local", "capture", "this", NULL};
const char *const sa_ir_flag_words[] = {
    "method",   "ctor",   "dtor",          "override",  "virtual", "internal", "exported", "lambda",
    "template", "header", "optional_wait", "is_record", "node",    "test",     NULL};
const char *const sa_ir_site_words[] = {"call",       "helper-call",    "macro",
                                        "forwarding", "implementation", NULL};
const char *const sa_ir_token_words[] = {"site", "implementation", "namesake",
                                         "text", "not-analysed",   NULL};

typedef struct {
  sa_arena *arena;
  SA_ARRAY(char) out;
} printer;

static void put_bytes(printer *p, const char *bytes, size_t n) {
  for (size_t i = 0; i < n; i++) sa_push(p->arena, &p->out, bytes[i]);
}

static void put(printer *p, const char *text) {
  put_bytes(p, text, strlen(text));
}

static void put_number(printer *p, const char *before, uint32_t number) {
  char buffer[16];
  put(p, before);
  snprintf(buffer, sizeof buffer, "%u", (unsigned)number);
  put(p, buffer);
}

/* Bytes that would end the string or hide from a reader are escaped; UTF-8 stays as it is. */
static void put_string(printer *p, const char *text) {
  put(p, " \"");
  for (const char *c = text; *c != '\0'; c++) {
    unsigned char byte = (unsigned char)*c;
    if (byte == '"' || byte == '\\') {
      put(p, "\\");
      put_bytes(p, c, 1);
    } else if (byte == '\n') {
      put(p, "\\n");
    } else if (byte < 0x20 || byte == 0x7f) {
      char escape[8];
      snprintf(escape, sizeof escape, "\\x%02x", byte);
      put(p, escape);
    } else {
      put_bytes(p, c, 1);
    }
  }
  put(p, "\"");
}

static void put_range(printer *p, sa_range at) {
  if (!sa_range_known(at)) return;
  char buffer[112];
  put(p, " @");
  if (at.file != 0) {
    snprintf(buffer, sizeof buffer, "f%u:", (unsigned)at.file);
    put(p, buffer);
  }
  snprintf(buffer, sizeof buffer, "%u:%u-%u:%u", (unsigned)at.line, (unsigned)at.column,
           (unsigned)at.end_line, (unsigned)at.end_column);
  put(p, buffer);
  if (at.offset != 0 || at.end_offset != 0) {
    snprintf(buffer, sizeof buffer, "#%u-%u", (unsigned)at.offset, (unsigned)at.end_offset);
    put(p, buffer);
  }
}

static void put_type(printer *p, sa_ir_type type) {
  put(p, " ");
  put(p, sa_type_word(type.kind));
  if (type.many) put(p, " many");
  if (type.weak) put(p, " weak");
  if (type.name != NULL && type.name[0] != '\0') put_string(p, type.name);
}

static void put_class(printer *p, const sa_ir_class *class) {
  put(p, "class");
  put_string(p, class->name);
  for (uint32_t i = 0; i < class->bases.n; i++) {
    put(p, " base");
    put_string(p, class->bases.at[i]);
  }
  put_range(p, class->at);
  put(p, "\n");
  for (uint32_t i = 0; i < class->fields.n; i++) {
    put(p, "  field");
    put_string(p, class->fields.at[i].name);
    put_type(p, class->fields.at[i].type);
    put(p, "\n");
  }
}

static void put_reg(printer *p, const sa_ir_reg *reg, uint32_t number) {
  put(p, "  ");
  put(p, sa_ir_reg_words[reg->kind]);
  put_number(p, " %", number);
  if (reg->name != NULL && reg->name[0] != '\0') put_string(p, reg->name);
  put(p, ":");
  put_type(p, reg->type);
  if (reg->by_ref) put(p, " ref");
  if (reg->is_const) put(p, " const");
  if (reg->rvalue) put(p, " rvalue");
  put_range(p, reg->at);
  put(p, "\n");
}

static void put_inst(printer *p, const sa_ir_inst *inst) {
  const sa_ir_op_info *info = sa_ir_op_about(inst->op);
  uint32_t mask = inst->mask;
  put(p, "    ");
  if (inst->result != 0) {
    put_number(p, "%", inst->result);
    put(p, " = ");
  }
  put(p, info->name);
  for (uint32_t i = 0; i < inst->nargs; i++) {
    put_number(p, " %", inst->args[i]);
    if (inst->op != SA_OP_use || i >= 32 || (mask & (1u << i)) == 0) continue;
    put(p, "!");
    mask &= ~(1u << i);
  }
  if (info->has_text && inst->text != NULL && inst->text[0] != '\0') put_string(p, inst->text);
  if (inst->op == SA_OP_call && (mask & 1u) != 0) {
    put(p, " method");
    mask &= ~1u;
  }
  if (mask != 0) put_number(p, " mask ", mask);
  if ((inst->op == SA_OP_call || inst->op == SA_OP_lambda) && inst->func != SA_NO_INDEX)
    put_number(p, " func ", inst->func);
  if (inst->op == SA_OP_record && inst->site != SA_NO_INDEX) put_number(p, " site ", inst->site);
  put_range(p, inst->at);
  put(p, "\n");
}

static void put_term(printer *p, const sa_ir_block *block) {
  static const char *const words[] = {"goto", "branch", "return", "unreachable"};
  put(p, "    ");
  put(p, words[block->term]);
  if (block->term == SA_TERM_BRANCH || (block->term == SA_TERM_RETURN && block->value != 0))
    put_number(p, " %", block->value);
  for (uint32_t i = 0; i < block->succ.n; i++) put_number(p, " ", block->succ.at[i]);
  put_range(p, block->at);
  put(p, "\n");
}

static void put_func(printer *p, const sa_ir_func *func, uint32_t number) {
  put_number(p, "func ", number);
  put_string(p, func->name);
  if (func->class_name != NULL) {
    put(p, " class");
    put_string(p, func->class_name);
  }
  if (func->parent != SA_NO_INDEX) put_number(p, " parent ", func->parent);
  for (uint32_t bit = 0; sa_ir_flag_words[bit] != NULL; bit++) {
    if ((func->flags & (1u << bit)) == 0) continue;
    put(p, " ");
    put(p, sa_ir_flag_words[bit]);
  }
  put(p, " returns");
  put_type(p, func->returns);
  put_range(p, func->at);
  put(p, "\n");
  for (uint32_t i = 1; i < func->regs.n; i++) put_reg(p, &func->regs.at[i], i);
  for (uint32_t i = 0; i < func->captures.n; i++) {
    put_number(p, "  bind %", func->captures.at[i].inner);
    put_number(p, " from %", func->captures.at[i].outer);
    put(p, func->captures.at[i].by_ref ? " ref\n" : "\n");
  }
  for (uint32_t i = 0; i < func->blocks.n; i++) {
    const sa_ir_block *block = &func->blocks.at[i];
    put_number(p, "  block ", i);
    put(p, block->exceptional ? " exceptional:\n" : ":\n");
    for (uint32_t j = 0; j < block->insts.n; j++) put_inst(p, &block->insts.at[j]);
    put_term(p, block);
  }
}

static void put_site(printer *p, const sa_ir_site *site, uint32_t number) {
  put_number(p, "site ", number);
  put(p, " ");
  put(p, sa_ir_site_words[site->kind]);
  put_string(p, site->api != NULL ? site->api : "");
  if (site->family != NULL && site->family[0] != '\0') {
    put(p, " family");
    put_string(p, site->family);
  }
  if (site->func != SA_NO_INDEX) put_number(p, " func ", site->func);
  if (site->function != NULL && site->function[0] != '\0') {
    put(p, " in");
    put_string(p, site->function);
  }
  if (site->reason != NULL) {
    put(p, " reason");
    put_string(p, site->reason);
  }
  if (site->justified) put(p, " justified");
  if (site->waived) put(p, " waived");
  put_range(p, site->at);
  put(p, "\n");
}

static void put_token(printer *p, const sa_ir_token *token) {
  put(p, "token ");
  put(p, sa_ir_token_words[token->fate]);
  if (token->fate == SA_TOKEN_SITE || token->fate == SA_TOKEN_NOT_ANALYSED)
    put_number(p, " ", token->site);
  if (token->why != NULL && token->why[0] != '\0') {
    put(p, " why");
    put_string(p, token->why);
  }
  put_range(p, token->at);
  put(p, "\n");
}

char *sa_ir_print(sa_arena *arena, const sa_ir_unit *unit) {
  printer p = {.arena = arena};
  put(&p, "unit");
  put_string(&p, unit->path);
  put(&p, " ");
  put(&p, unit->language);
  put(&p, "\n");
  for (uint32_t i = 0; i < unit->files.n; i++) {
    put_number(&p, "file ", i);
    put_string(&p, unit->files.at[i]);
    put(&p, "\n");
  }
  for (uint32_t i = 0; i < unit->classes.n; i++) put_class(&p, &unit->classes.at[i]);
  for (uint32_t i = 0; i < unit->funcs.n; i++) put_func(&p, &unit->funcs.at[i], i);
  for (uint32_t i = 0; i < unit->sites.n; i++) put_site(&p, &unit->sites.at[i], i);
  for (uint32_t i = 0; i < unit->tokens.n; i++) put_token(&p, &unit->tokens.at[i]);
  sa_push(arena, &p.out, '\0');
  return p.out.at;
}
