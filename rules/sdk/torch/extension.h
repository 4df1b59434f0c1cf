// Model of torch/extension.h: everything a C++ extension gets from one include.
#pragma once
#pragma GCC system_header
#include "c10d.h"
#include "python.h"

namespace py = pybind11;
