/* A hazard says that two accesses have no order. The witness shows it: all that the second one
 * follows, then the second one, then everything else in the order of the calls. That is a legal
 * run of the device, and the first access comes too late in it. */
#include <stdlib.h>

#include "sim.h"

static bool before(const sim_op *op, const sim_op *last) {
  return last->clock.lane[op->lane] >= op->tick;
}

/* Callbacks and reads to the host ran once already. */
static bool replay(sim_memory *m, const sim_op *op, uint64_t *read) {
  sar_op copy = op->op;
  if (copy.kind == SAR_OP_CALLBACK) return true;
  if (copy.kind != SAR_OP_READ) return sim_memory_apply(m, &copy, read);
  void *scratch = malloc(copy.bytes);
  if (!scratch) return false;
  copy.host = scratch;
  bool ok = sim_memory_apply(m, &copy, read);
  free(scratch);
  return ok;
}

static bool run_reordered(const sim_device *d, const sim_op *second, sim_memory *m,
                          uint64_t *reads) {
  for (int rest = 0; rest < 2; rest++)
    for (size_t i = 0; i < d->op_count; i++)
      if (before(d->log[i], second) != (rest != 0))
        if (!replay(m, d->log[i], &reads[i])) return false;
  return true;
}

static bool compare(sar_witness *out, const sim_device *d, const sar_hazard *h, const sim_memory *m,
                    const uint64_t *reads) {
  static const char *const names[] = {"fill", "copy", "add",     "checksum",
                                      "spin", "read", "callback"};
  for (size_t i = 0; i < d->op_count; i++) {
    const sim_op *op = d->log[i];
    if (op->read == reads[i]) continue;
    *out =
        (sar_witness){{op->number, op->op.stream, names[op->op.kind], false}, op->read, reads[i]};
    return true;
  }
  for (size_t at = 0; at < h->bytes; at += 1 + h->bytes / 64) {
    uint8_t expected = sim_memory_at(&d->memory, h->addr + at),
            got = sim_memory_at(m, h->addr + at);
    if (expected == got) continue;
    *out = (sar_witness){.expected = expected, .got = got};
    return true;
  }
  return false;
}

bool sar_sim_witness(sar_witness *out, sar_device *sim, const sar_hazard *h) {
  sim_device *d = (sim_device *)sim;
  if (!h->first.number || h->second.number > d->op_count) return false;
  sim_memory m = {0};
  uint64_t *reads = calloc(d->op_count, sizeof *reads);
  bool found = reads && run_reordered(d, d->log[h->second.number - 1], &m, reads) &&
               compare(out, d, h, &m, reads);
  free(reads);
  sim_memory_drop(&m);
  return found;
}
