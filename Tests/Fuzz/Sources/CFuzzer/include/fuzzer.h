#pragma once
#include <stddef.h>
#include <stdint.h>

// libFuzzer's door for programs that have a main of their own, as every executable of SwiftPM has.
// From compiler-rt/lib/fuzzer: it returns when the run is over, or ends the process.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one_input)(const uint8_t *bytes, size_t count));
