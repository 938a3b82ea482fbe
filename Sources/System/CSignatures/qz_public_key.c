#include "qz_public_key.h"

#include <limits.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdlib.h>

#include "qz_load.h"

#define QZ_CRYPTO_FUNCTIONS(use)                                                                                     \
    use(BIO_new_mem_buf) use(BIO_free) use(PEM_read_bio_X509) use(PEM_read_bio_PUBKEY) use(d2i_X509) use(d2i_PUBKEY)  \
    use(X509_get_pubkey) use(X509_free) use(EVP_PKEY_free) use(EVP_PKEY_get_bits) use(EVP_PKEY_is_a)                  \
    use(EVP_MD_CTX_new) use(EVP_MD_CTX_free) use(EVP_DigestVerifyInit_ex) use(EVP_DigestVerify) use(ERR_clear_error)

// Loaded when it is needed: decode-image starts without it.
typedef struct {
#define QZ_MEMBER(name) __typeof__(name) *name;
    QZ_CRYPTO_FUNCTIONS(QZ_MEMBER)
#undef QZ_MEMBER
} qz_crypto;

static const qz_crypto *qz_crypto_load(void);
QZ_DEFINE_LOADER(qz_crypto, QZ_CRYPTO_FUNCTIONS, "libcrypto.so.3")

struct qz_public_key {
    const qz_crypto *functions;
    EVP_PKEY *key;
};

bool qz_signatures_available(void) { return qz_crypto_load() != NULL; }

/// An encrypted file has no password that could be asked for.
static int no_password(char *buffer, int size, int is_written, void *context) {
    (void)buffer, (void)size, (void)is_written, (void)context;
    return -1;
}

static EVP_PKEY *key_of(const qz_crypto *crypto, X509 *certificate) {
    if (certificate == NULL) return NULL;
    EVP_PKEY *key = crypto->X509_get_pubkey(certificate);
    crypto->X509_free(certificate);
    return key;
}

static EVP_PKEY *read_pem(const qz_crypto *crypto, const uint8_t *bytes, size_t count, bool is_certificate) {
    BIO *bio = crypto->BIO_new_mem_buf(bytes, (int)count);
    if (bio == NULL) return NULL;
    EVP_PKEY *key = is_certificate ? key_of(crypto, crypto->PEM_read_bio_X509(bio, NULL, no_password, NULL))
                                   : crypto->PEM_read_bio_PUBKEY(bio, NULL, no_password, NULL);
    crypto->BIO_free(bio);
    return key;
}

qz_public_key *qz_public_key_new(const uint8_t *bytes, size_t count) {
    const qz_crypto *crypto = qz_crypto_load();
    if (crypto == NULL || count > INT_MAX) return NULL;
    EVP_PKEY *key = read_pem(crypto, bytes, count, true);
    if (key == NULL) key = read_pem(crypto, bytes, count, false);
    const unsigned char *place = bytes;
    if (key == NULL) key = key_of(crypto, crypto->d2i_X509(NULL, &place, (long)count));
    place = bytes;
    if (key == NULL) key = crypto->d2i_PUBKEY(NULL, &place, (long)count);
    crypto->ERR_clear_error();
    if (key == NULL) return NULL;
    qz_public_key *result = malloc(sizeof *result);
    if (result == NULL) {
        crypto->EVP_PKEY_free(key);
        return NULL;
    }
    *result = (qz_public_key){crypto, key};
    return result;
}

void qz_public_key_free(qz_public_key *key) {
    key->functions->EVP_PKEY_free(key->key);
    free(key);
}

bool qz_public_key_is(const qz_public_key *key, const char *algorithm) {
    return key->functions->EVP_PKEY_is_a(key->key, algorithm) == 1;
}

int qz_public_key_bits(const qz_public_key *key) { return key->functions->EVP_PKEY_get_bits(key->key); }

bool qz_public_key_verify(
    qz_public_key *key, const char *digest, const uint8_t *signature, size_t signature_count, const uint8_t *message,
    size_t message_count) {
    const qz_crypto *crypto = key->functions;
    // Written out, because the functions that fill parameters would have to be loaded too.
    char padding[] = OSSL_PKEY_RSA_PAD_MODE_PSS;
    const OSSL_PARAM pss[] = {
        {OSSL_SIGNATURE_PARAM_PAD_MODE, OSSL_PARAM_UTF8_STRING, padding, sizeof padding - 1, OSSL_PARAM_UNMODIFIED},
        {NULL, 0, NULL, 0, 0}};
    EVP_MD_CTX *context = crypto->EVP_MD_CTX_new();
    if (context == NULL) return false;
    bool is_valid =
        crypto->EVP_DigestVerifyInit_ex(
            context, NULL, digest, NULL, NULL, key->key, qz_public_key_is(key, "RSA") ? pss : NULL) == 1 &&
        crypto->EVP_DigestVerify(context, signature, signature_count, message, message_count) == 1;
    crypto->EVP_MD_CTX_free(context);
    crypto->ERR_clear_error();
    return is_valid;
}
