// Asks the desktop's portal for a picture of the screen.
#pragma once

#include <stddef.h>

/// The result of a question to the desktop's portal.
enum qz_portal_outcome {
    /// The user agreed, and there is an answer.
    QZ_PORTAL_ANSWERED = 0,
    /// The user did not agree.
    QZ_PORTAL_REFUSED = 1,
    /// There is no session bus, no portal for screenshots on it, or no libsystemd.
    QZ_PORTAL_MISSING = 2,
    /// Nobody answered in time.
    QZ_PORTAL_TIMED_OUT = 3,
};

/// Has the user's desktop take a picture of the screen (org.freedesktop.portal.Screenshot) and writes the URI of its file
/// to `uri`, which ends with a NUL. Blocks until the user has answered.
enum qz_portal_outcome qz_portal_screenshot(unsigned timeout_seconds, char *uri, size_t size);
