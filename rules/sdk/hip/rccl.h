/* Model of RCCL: NCCL's names on HIP streams. */
#ifndef SA_SDK_RCCL_H
#define SA_SDK_RCCL_H
#pragma GCC system_header
#include "../cuda/nccl.h"
#include "hip_runtime.h"
#endif
