#ifndef HOLDFAST_CLIBPQ_H
#define HOLDFAST_CLIBPQ_H

#include <libpq-fe.h>
#include <stddef.h>

/* Discards the server's notices. libpq prints them to standard error by default. */
static inline void holdfast_pq_ignore_notice(void *context, const char *message) {
    (void)context;
    (void)message;
}

static inline void holdfast_pq_silence(PGconn *connection) {
    PQsetNoticeProcessor(connection, holdfast_pq_ignore_notice, NULL);
}

/* Asks the server to cancel the running statement. libpq 17 sends the request with the connection's own encryption. */
static inline int holdfast_pq_cancel(PGconn *connection) {
#ifdef LIBPQ_HAS_ASYNC_CANCEL
    PGcancelConn *request = PQcancelCreate(connection);
    if (request == NULL) return 0;
    int sent = PQcancelBlocking(request);
    PQcancelFinish(request);
    return sent;
#else
    char message[256];
    PGcancel *request = PQgetCancel(connection);
    if (request == NULL) return 0;
    int sent = PQcancel(request, message, sizeof message);
    PQfreeCancel(request);
    return sent;
#endif
}

#endif
