// libpq, loaded when a destination of the type postgresql needs it.
#pragma once

#include <stddef.h>

#include <postgresql/libpq-fe.h>

#define QZ_POSTGRESQL_FUNCTIONS(use)                                                                                 \
    use(PQconninfoParse) use(PQconninfoFree) use(PQfreemem) use(PQconnectdbParams) use(PQfinish) use(PQstatus)        \
    use(PQerrorMessage) use(PQexecParams) use(PQresultStatus) use(PQresultErrorField) use(PQclear)                    \
    use(PQsetNoticeProcessor)

/// The functions of libpq that are called, by their own names.
typedef struct {
#define QZ_MEMBER(name) __typeof__(name) *_Nonnull name;
    QZ_POSTGRESQL_FUNCTIONS(QZ_MEMBER)
#undef QZ_MEMBER
} qz_postgresql;

/// The functions, valid until the process ends; NULL where the library is not installed.
const qz_postgresql *_Nullable qz_postgresql_load(void);
