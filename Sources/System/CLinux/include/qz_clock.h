#pragma once

/// Returns 1 if a service (NTP, PTP, a hypervisor) synchronizes the kernel's clock, 0 if none does, negative if unknown.
int qz_clock_is_synchronized(void);
