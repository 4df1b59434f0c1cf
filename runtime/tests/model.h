/* The same allocator, written to be obviously right: one list of blocks, every search linear. */
#ifndef SAR_TESTS_MODEL_H
#define SAR_TESTS_MODEL_H

#include <sar/alloc.h>

#define MODEL_BLOCKS  2048
#define MODEL_STREAMS 8

typedef enum { MODEL_FREE, MODEL_LIVE, MODEL_PENDING } model_state;

typedef struct {
  uint64_t addr, size, segment; /* segment: address of its first block */
  uint32_t stream;
  bool small;
  model_state state;
  uint64_t until[MODEL_STREAMS]; /* place of the event on each stream; 0: none */
  bool used[MODEL_STREAMS];
} model_block;

typedef struct {
  sar_mode mode;
  uint64_t memory, reserved, next_addr;
  uint64_t queued[MODEL_STREAMS], done[MODEL_STREAMS];
  model_block blocks[MODEL_BLOCKS]; /* by address */
  size_t count;
} model;

void model_init(model *m, sar_mode mode, uint64_t memory);
sar_status model_malloc(model *m, uint64_t *out, uint64_t bytes, uint32_t stream);
sar_status model_free(model *m, uint64_t addr);
sar_status model_record(model *m, uint64_t addr, uint32_t stream);
void model_complete(model *m, uint32_t stream);
uint64_t model_bytes(const model *m, bool pending_too);

#endif
