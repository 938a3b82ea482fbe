// Public keys and certificates that check signatures, by libcrypto, which is loaded when keys are given.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A public key.
typedef struct qz_public_key qz_public_key;

/// True if libcrypto is installed.
bool qz_signatures_available(void);

/// Reads a public key, or that of an X.509 certificate, in PEM or DER; NULL if it is neither, or has no such key. The
/// caller releases it with qz_public_key_free.
qz_public_key *_Nullable qz_public_key_new(const uint8_t *_Nonnull bytes, size_t count);

/// Releases a key.
void qz_public_key_free(qz_public_key *_Nonnull key);

/// True if the key is of an algorithm, as libcrypto names it: "RSA", "EC" or "DSA".
bool qz_public_key_is(const qz_public_key *_Nonnull key, const char *_Nonnull algorithm);

/// The size of the key, in bits.
int qz_public_key_bits(const qz_public_key *_Nonnull key);

/// True if a signature of a message is valid. Signatures by EC and DSA are in DER, those by RSA with the padding PSS.
bool qz_public_key_verify(
    qz_public_key *_Nonnull key, const char *_Nonnull digest, const uint8_t *_Nonnull signature, size_t signature_count,
    const uint8_t *_Nonnull message, size_t message_count);
