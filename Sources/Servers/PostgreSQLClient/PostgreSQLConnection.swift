#if PostgreSQL

import CLibPQ
import HoldfastSystem

/// A connection to a server. Calls block the calling thread until the deadline of ``PostgreSQLClient``.
///
/// Only one thread uses a connection at a time: ``PostgreSQLClient`` lends each one to a single call.
package final class PostgreSQLConnection: @unchecked Sendable {  // reason: the client lends it to one thread at a time
    private let handle: OpaquePointer
    private let address: PostgreSQLAddress
    private let wake: WakePipe
    /// The statements that this session has prepared.
    private var prepared: Set<String> = []
    private var deadline: ContinuousClock.Instant
    private var isBroken = false

    /// The oldest supported version of the server.
    private static let oldestServer: CInt = 140_000

    /// Connects to one host of an address. Blocks until the session is ready, or the deadline is reached.
    ///
    /// - Parameter host: The index in ``PostgreSQLAddress/hosts``.
    init(
        _ address: PostgreSQLAddress, host: Int, deadline: ContinuousClock.Instant,
        cancellation: PostgreSQLCancellation, sessionSettings: String
    ) throws(PostgreSQLError) {
        self.address = address
        self.deadline = deadline
        wake = try WakePipe()
        let parameters = address.hosts[host]
        let (keywords, values) = (parameters.map(\.keyword), parameters.map(\.value))
        let started = CStrings.with(keywords) { keywords in
            CStrings.with(values) { PQconnectStartParams(keywords, $0, 0) }
        }
        guard let started else { throw PostgreSQLError(.unreachable, "libpq has no memory for a connection.") }
        handle = started
        // From here, `deinit` ends the session after an error.
        holdfast_pq_silence(handle)
        guard cancellation.begin(waking: wake.input) else { throw Self.cancelled }
        defer { cancellation.end() }
        try establish()
        guard !address.requiresTLS || PQsslInUse(handle) == 1 else {
            throw PostgreSQLError(.refusedConnection, "The database connection does not use TLS.")
        }
        guard PQserverVersion(handle) >= Self.oldestServer else {
            throw PostgreSQLError(.unsupportedServer, "The PostgreSQL server is older than version 14.")
        }
        guard PQsetnonblocking(handle, 1) == 0 else { throw lost() }
        try simple(sessionSettings)
    }

    deinit { PQfinish(handle) }

    /// Whether the session must not be used again.
    var hasFailed: Bool { isBroken }

    /// Whether another call can use the session.
    var isReusable: Bool {
        !isBroken && PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE
            && PQpipelineStatus(handle) == PQ_PIPELINE_OFF
    }

    /// Begins a call.
    func begin(until deadline: ContinuousClock.Instant, _ cancellation: PostgreSQLCancellation) -> Bool {
        self.deadline = deadline
        // A cancellation at the end of the last call may have left a byte.
        wake.drain()
        return cancellation.begin(waking: wake.input)
    }

    /// Sends statements together, and returns their rows. The server runs them in order, and none after the first
    /// error. This takes one round trip.
    ///
    /// - Throws: ``PostgreSQLError`` of the first statement that fails.
    package func run(_ statements: [PostgreSQLStatement]) throws(PostgreSQLError) -> [PostgreSQLRows] {
        guard PQenterPipelineMode(handle) == 1 else { throw lost() }
        var expected: [(name: String, isQuery: Bool)] = []
        for statement in statements {
            let name = "\(statement.name)"
            // The statement without a name is replaced each time.
            if name.isEmpty || (!prepared.contains(name) && !expected.contains { $0.name == name }) {
                let types = statement.values.map(\.type)
                guard PQsendPrepare(handle, name, statement.sql, CInt(types.count), types) == 1 else { throw lost() }
                expected.append((name, false))
            }
            try send(statement, name)
            expected.append((name, true))
        }
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        try flush()
        var rows: [PostgreSQLRows] = []
        var failure: PostgreSQLError?
        for (name, isQuery) in expected {
            switch try answer() {
            case .failure(let error): failure = failure ?? error
            case .success(let result):
                if isQuery { rows.append(result) } else if !name.isEmpty { prepared.insert(name) }
            }
        }
        guard case .success = try answer(isSync: true), PQexitPipelineMode(handle) == 1 else { throw lost() }
        if let failure { throw failure }
        return rows
    }

    /// Runs one statement.
    package func run(_ statement: PostgreSQLStatement) throws(PostgreSQLError) -> PostgreSQLRows {
        guard let rows = try run([statement]).first else { throw lost() }
        return rows
    }

    /// Runs a text with several statements without parameters, for example a migration.
    package func simple(_ sql: String) throws(PostgreSQLError) {
        guard PQsendQuery(handle, sql) == 1 else { throw lost() }
        try flush()
        var failure: PostgreSQLError?
        while let result = try next() {
            if case .failure(let error) = copy(result) { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Commits together with the last statements of a transaction.
    package func commit(after statements: [PostgreSQLStatement]) throws(PostgreSQLError) -> [PostgreSQLRows] {
        let rows = try run(statements + [.commit])
        // A failed transaction would answer COMMIT with ROLLBACK, and without an error.
        guard PQtransactionStatus(handle) == PQTRANS_IDLE, rows.count == statements.count + 1 else { throw lost() }
        return rows.dropLast()
    }

    /// Ends a transaction that failed, so that the session can be used again. A session for which this fails is not
    /// used again.
    func rollBackIfNeeded() {
        guard !isBroken, PQstatus(handle) == CONNECTION_OK, PQpipelineStatus(handle) == PQ_PIPELINE_OFF else { return }
        let status = PQtransactionStatus(handle)
        guard status == PQTRANS_INTRANS || status == PQTRANS_INERROR else { return }
        do throws(PostgreSQLError) {
            try simple("ROLLBACK")
        } catch {
            isBroken = true
        }
    }
}

// MARK: - Waiting

extension PostgreSQLConnection {
    private static var cancelled: PostgreSQLError { PostgreSQLError(.cancelled, "The database call was cancelled.") }

    private func establish() throws(PostgreSQLError) {
        var events = Int16(POLLOUT)
        // Without an address to try, there is no socket to wait for.
        while PQstatus(handle) != CONNECTION_BAD {
            try wait(for: events)
            switch PQconnectPoll(handle) {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_READING: events = Int16(POLLIN)
            case PGRES_POLLING_WRITING: events = Int16(POLLOUT)
            default: throw connectFailure()
            }
        }
        throw connectFailure()
    }

    private func connectFailure() -> PostgreSQLError {
        let message = String(cString: PQerrorMessage(handle))
        let isRefusal = PQconnectionNeedsPassword(handle) == 1 || PQconnectionUsedPassword(handle) == 1
        return PostgreSQLError(isRefusal ? .refusedConnection : .unreachable, reason(message))
    }

    /// Sends everything. Reads meanwhile, because the server may wait until its answers are read.
    private func flush() throws(PostgreSQLError) {
        while true {
            switch PQflush(handle) {
            case 0: return
            case 1:
                try wait(for: Int16(POLLOUT | POLLIN))
                guard PQconsumeInput(handle) == 1 else { throw lost() }
            default: throw lost()
            }
        }
    }

    /// Returns the next result; `nil` at the end of an answer.
    private func next() throws(PostgreSQLError) -> OpaquePointer? {
        while PQisBusy(handle) == 1 {
            try wait(for: Int16(POLLIN))
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
        return PQgetResult(handle)
    }

    /// Waits for the socket. Gives up at the deadline, or if the call is cancelled.
    private func wait(for events: Int16) throws(PostgreSQLError) {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw giveUp(.timedOut, "The database did not answer in time.") }
            // Rounded up: an attempt that ends before the call's own deadline would count as an unreachable host.
            let milliseconds = (left + .milliseconds(1)).wholeMilliseconds
            var descriptors = [
                pollfd(fd: PQsocket(handle), events: events, revents: 0),
                pollfd(fd: wake.output, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&descriptors, 2, CInt(clamping: milliseconds))
            if ready < 0, errno != EINTR { throw lost() }
            guard ready > 0 else { continue }
            if descriptors[1].revents != 0 { throw giveUp(.cancelled, "The database call was cancelled.") }
            return
        }
    }

    /// Ends the session with the call. The server then ends the statement (`client_connection_check_interval`), or at
    /// the latest after its own time limit.
    ///
    /// No cancel request is sent: `PQcancel` connects without encryption, also if the session uses TLS, and both it and
    /// its successor in libpq 17 block the thread for as long as a vanished server does not respond.
    private func giveUp(_ code: PostgreSQLError.Code, _ reason: String) -> PostgreSQLError {
        isBroken = true
        return PostgreSQLError(code, reason)
    }

    private func lost() -> PostgreSQLError {
        isBroken = true
        return PostgreSQLError(.connectionLost, reason(String(cString: PQerrorMessage(handle))))
    }

    private func reason(_ message: String) -> String {
        let text = address.cleaned(message)
        return text.isEmpty ? "The database connection was lost." : "PostgreSQL: \(text)"
    }
}

// MARK: - Statements and answers

extension PostgreSQLConnection {
    private func send(_ statement: PostgreSQLStatement, _ name: String) throws(PostgreSQLError) {
        var buffer: [UInt8] = []
        // The ranges of the values in the buffer; `nil` for null.
        var ranges: [Range<Int>?] = []
        for value in statement.values {
            let start = buffer.count
            ranges.append(value.append(to: &buffer) ? start..<buffer.count : nil)
        }
        // An empty array has no address, but an empty value needs one.
        buffer.append(0)
        let count = CInt(clamping: ranges.count)
        let lengths = ranges.map { CInt(clamping: $0?.count ?? 0) }
        let formats = [CInt](repeating: 1, count: ranges.count)
        let isSent = buffer.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = ranges.map { range in range.flatMap { range in start.map { $0 + range.lowerBound } } }
            return PQsendQueryPrepared(handle, name, count, pointers, lengths, formats, 1)
        }
        guard isSent == 1 else { throw lost() }
    }

    /// Reads the answer to one statement of a pipeline, or its end.
    private func answer(isSync: Bool = false) throws(PostgreSQLError) -> Result<PostgreSQLRows, PostgreSQLError> {
        guard let result = try next() else { throw lost() }
        let answer = copy(result)
        // The end of a pipeline is a single result.
        if !isSync, try next() != nil { throw lost() }
        if PQstatus(handle) != CONNECTION_OK { throw lost() }
        return answer
    }

    /// Copies a result and frees it.
    private func copy(_ result: OpaquePointer) -> Result<PostgreSQLRows, PostgreSQLError> {
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_SYNC, PGRES_EMPTY_QUERY: break
        case PGRES_PIPELINE_ABORTED:
            return .failure(PostgreSQLError(.connectionLost, "An earlier statement failed."))
        default:
            // The detail and the context of an error may contain values, so only the message is used.
            let state = PQresultErrorField(result, 67).map { String(cString: $0) } ?? "XX000"
            let message = PQresultErrorField(result, 77).map { String(cString: $0) } ?? "no message"
            return .failure(PostgreSQLError(state: state, message: address.cleaned(message)))
        }
        let (rows, columns) = (PQntuples(result), PQnfields(result))
        var copied: [[[UInt8]?]] = []
        copied.reserveCapacity(Int(rows))
        for row in 0..<max(0, rows) {
            copied.append((0..<max(0, columns)).map { column in Self.value(of: result, row, column) })
        }
        let affected = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
        return .success(PostgreSQLRows(rows: copied, affected: affected))
    }

    private static func value(of result: OpaquePointer, _ row: CInt, _ column: CInt) -> [UInt8]? {
        guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else { return nil }
        return Array(UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column))))
    }
}

/// Passes texts to C as an array of C strings that ends with null.
private enum CStrings {
    static func with<Value>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
    ) -> Value {
        let bytes = texts.map { ContiguousArray($0.utf8CString) }
        var all = ContiguousArray<CChar>()
        var starts: [Int] = []
        for text in bytes {
            starts.append(all.count)
            all += text
        }
        return all.withUnsafeBufferPointer { all in
            var pointers: [UnsafePointer<CChar>?] = starts.map { start in all.baseAddress.map { $0 + start } }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}

#endif
