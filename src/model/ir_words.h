/* The words of the IR's text form that are neither operations nor types; shared by printer and
 * parser so that they cannot drift apart. Each list ends with NULL; the index is the enumerator. */
#ifndef SA_MODEL_IR_WORDS_H
#define SA_MODEL_IR_WORDS_H

/* sa_reg_kind */
extern const char *const sa_ir_reg_words[];
/* Bits of sa_ir_func.flags, lowest first. */
extern const char *const sa_ir_flag_words[];
/* sa_site_kind */
extern const char *const sa_ir_site_words[];
/* sa_token_fate */
extern const char *const sa_ir_token_words[];

#endif
