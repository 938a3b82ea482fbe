#include "qz_allocator.h"

#include <malloc.h>

void qz_keep_freed_memory(int bytes)
{
    // What an allocator refuses, it goes on with as before.
    mallopt(M_MMAP_THRESHOLD, bytes / 2);
    mallopt(M_TRIM_THRESHOLD, bytes);
}
