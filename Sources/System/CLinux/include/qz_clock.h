#pragma once

/// Whether the kernel's clock is kept in time by some service (NTP, PTP, a hypervisor): 1 or 0, negative if not known.
int qz_clock_is_synchronized(void);
