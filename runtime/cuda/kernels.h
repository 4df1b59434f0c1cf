/* The four kernels, as PTX that the driver compiles: gcc alone builds the whole backend.
 * ptxas checks this text in the tests where it is present. */
#ifndef SAR_CUDA_KERNELS_H
#define SAR_CUDA_KERNELS_H

#define PTX_INDEX                                                                                  \
  "  mov.u32 %r1, %ctaid.x;\n  mov.u32 %r2, %ntid.x;\n  mov.u32 %r3, %tid.x;\n"                    \
  "  mov.u32 %r4, %nctaid.x;\n  mul.wide.u32 %i, %r1, %r2;\n  cvt.u64.u32 %t, %r3;\n"              \
  "  add.u64 %i, %i, %t;\n  mul.wide.u32 %step, %r2, %r4;\n"

static const char sar_ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    /* dst[i] += src[i] for i < n */
    ".visible .entry sar_add(.param .u64 p_dst, .param .u64 p_src, .param .u64 p_n)\n{\n"
    "  .reg .pred %p;\n  .reg .b32 %r<8>;\n  .reg .b64 %i, %t, %step, %n, %a, %b, %dst, %src;\n"
    "  ld.param.u64 %dst, [p_dst];\n  ld.param.u64 %src, [p_src];\n  ld.param.u64 %n, [p_n];\n"
    "  cvta.to.global.u64 %dst, %dst;\n  cvta.to.global.u64 %src, %src;\n" PTX_INDEX
    "next:\n  setp.ge.u64 %p, %i, %n;\n  @%p bra done;\n"
    "  add.u64 %a, %dst, %i;\n  add.u64 %b, %src, %i;\n"
    "  ld.global.u8 %r5, [%a];\n  ld.global.u8 %r6, [%b];\n  add.u32 %r5, %r5, %r6;\n"
    "  st.global.u8 [%a], %r5;\n  add.u64 %i, %i, %step;\n  bra next;\n"
    "done:\n  ret;\n}\n"
    /* *dst += sum of src[i] * (i % 251 + 1) */
    ".visible .entry sar_checksum(.param .u64 p_dst, .param .u64 p_src, .param .u64 p_n)\n{\n"
    "  .reg .pred %p;\n  .reg .b32 %r<8>;\n"
    "  .reg .b64 %i, %t, %step, %n, %a, %w, %v, %sum, %dst, %src;\n"
    "  ld.param.u64 %dst, [p_dst];\n  ld.param.u64 %src, [p_src];\n  ld.param.u64 %n, [p_n];\n"
    "  cvta.to.global.u64 %dst, %dst;\n  cvta.to.global.u64 %src, %src;\n" PTX_INDEX
    "  mov.u64 %sum, 0;\n"
    "next:\n  setp.ge.u64 %p, %i, %n;\n  @%p bra done;\n"
    "  add.u64 %a, %src, %i;\n  ld.global.u8 %r5, [%a];\n  cvt.u64.u32 %v, %r5;\n"
    "  rem.u64 %w, %i, 251;\n  add.u64 %w, %w, 1;\n  mad.lo.u64 %sum, %v, %w, %sum;\n"
    "  add.u64 %i, %i, %step;\n  bra next;\n"
    "done:\n  red.global.add.u64 [%dst], %sum;\n  ret;\n}\n"
    /* holds its stream for ns nanoseconds */
    ".visible .entry sar_spin(.param .u64 p_ns)\n{\n"
    "  .reg .pred %p;\n  .reg .b64 %start, %now, %ns;\n"
    "  ld.param.u64 %ns, [p_ns];\n  mov.u64 %start, %globaltimer;\n"
    "next:\n  mov.u64 %now, %globaltimer;\n  sub.u64 %now, %now, %start;\n"
    "  setp.lt.u64 %p, %now, %ns;\n  @%p bra next;\n  ret;\n}\n"
    /* holds its stream until *word >= ticket, ns nanoseconds at most */
    ".visible .entry sar_gate(.param .u64 p_word, .param .u64 p_ticket, .param .u64 p_ns)\n{\n"
    "  .reg .pred %p, %q;\n  .reg .b32 %v, %ticket;\n"
    "  .reg .b64 %start, %now, %ns, %word, %wide;\n"
    "  ld.param.u64 %word, [p_word];\n  ld.param.u64 %wide, [p_ticket];\n"
    "  ld.param.u64 %ns, [p_ns];\n  cvt.u32.u64 %ticket, %wide;\n"
    "  cvta.to.global.u64 %word, %word;\n  mov.u64 %start, %globaltimer;\n"
    "next:\n  ld.volatile.global.u32 %v, [%word];\n  setp.ge.u32 %q, %v, %ticket;\n"
    "  @%q bra done;\n  mov.u64 %now, %globaltimer;\n  sub.u64 %now, %now, %start;\n"
    "  setp.lt.u64 %p, %now, %ns;\n  @%p bra next;\n"
    "done:\n  ret;\n}\n";

#undef PTX_INDEX
#endif
