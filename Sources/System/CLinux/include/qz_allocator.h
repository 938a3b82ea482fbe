#pragma once

/// Has the allocator keep up to `bytes` that were freed for what is allocated next, and take blocks of up to half of
/// that from what it keeps, where it would give them back to the kernel and ask for them anew, page by page.
void qz_keep_freed_memory(int bytes);
