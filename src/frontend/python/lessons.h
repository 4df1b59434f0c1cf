/* What the lowering of one function teaches about names that another one uses. Answers only get
 * heavier, or mixed, so the rounds end. Whoever asks is lowered again when the answer changes. */
#ifndef SA_FRONTEND_PYTHON_LESSONS_H
#define SA_FRONTEND_PYTHON_LESSONS_H

#include "frontend/python/internal.h"

/* What a lesson is about; 0: nothing that could be named. */
uint64_t py_key_of(uint64_t scope, const char *name);
uint64_t py_return_key(uint32_t func);
uint64_t py_local_key(uint32_t func, const char *name);
uint64_t py_global_key(const char *name);
/* Of what stands under a name, as it is written, or in a field of what is in the register. */
uint64_t py_item_key(body *b, sa_reg dictionary, const char *literal);
uint64_t py_field_key(body *b, sa_reg object, const char *field);

sa_ir_type py_lesson_about(lowering *lo, uint64_t key);
uint32_t py_func_lesson(lowering *lo, uint64_t key); /* SA_NO_INDEX: none */
void py_learn(lowering *lo, uint64_t key, sa_ir_type type);
void py_learn_func(lowering *lo, uint64_t key, uint32_t func);
/* Also what the register itself is from now on, if that was not known. */
void py_learn_reg(body *b, sa_reg reg, sa_ir_type type);

/* What functions of this file give: their hints, or what was known when the round began. */
void py_declare_returns(lowering *lo);
sa_ir_type py_returns_of(lowering *lo, uint32_t func);

#endif
