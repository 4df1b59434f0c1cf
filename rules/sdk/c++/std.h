// Model of the C++ standard library: every standard header is this one file (see includes.txt).
#pragma once
#pragma GCC system_header
#include "base.h"
#include "string.h"
#include "containers.h"
#include "memory.h"
#include "thread.h"
#include "algorithm.h"
