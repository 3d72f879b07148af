import ChatCenter
import ChatPage
import Logging

/// Opens a visitor's session when a request needs it, and ends it when it was idle for too long. The SDK's store keeps
/// the conversation, so that the next request opens the session again.
actor SessionHouse {
    /// The server has as many sessions in use as it may have.
    struct Full: Error {}

    private let open: @Sendable (ChatPageVisitor) async throws -> ChatCenterUISDK
    private let imagePath: @Sendable (String) -> String?
    private let pictures: ChatPagePictures
    private let time: PageServerTime
    private let outletLimits: PageOutlet.Limits
    private let logger: Logger
    private var live: LiveSessions
    private var sessions: [ChatPageVisitor: VisitorSession] = [:]
    private var opening: [ChatPageVisitor: Task<VisitorSession, any Error>] = [:]
    private var isStopped = false
    /// The number of uses that have begun and not ended.
    private var uses = 0
    private let drain = AsyncStream.makeStream(of: Never.self)

    /// Creates a house without sessions.
    init(
        live: LiveSessions, time: PageServerTime, outletLimits: PageOutlet.Limits, logger: Logger,
        pictures: ChatPagePictures, imagePath: @escaping @Sendable (String) -> String?,
        open: @escaping @Sendable (ChatPageVisitor) async throws -> ChatCenterUISDK
    ) {
        self.live = live
        self.time = time
        self.outletLimits = outletLimits
        self.logger = logger
        self.imagePath = imagePath
        self.pictures = pictures
        self.open = open
    }

    /// The number of sessions.
    var count: Int { live.count }

    /// Calls `body` with a visitor's session, which stays at least until `body` returns, unless the visitor is signed
    /// out.
    ///
    /// Throws ``Full``, the error of the app's closure, or the error of `body`.
    nonisolated func use<Value: Sendable>(
        _ visitor: ChatPageVisitor, _ body: @Sendable (VisitorSession) async throws -> Value
    ) async throws -> Value {
        let session = try await enter(visitor)
        do {
            let value = try await body(session)
            await leave(visitor)
            return value
        } catch {
            await leave(visitor)
            throw error
        }
    }

    /// Begins a use. Call ``leave(_:)`` at its end.
    func enter(_ visitor: ChatPageVisitor) async throws -> VisitorSession {
        guard !isStopped else { throw Full() }
        switch live.enter(visitor, at: time.uptime()) {
        case .full: throw Full()
        case .use: break
        case .open(let ending):
            for other in ending { await end(other, .evicted, "The chat was idle.") }
        }
        do {
            let session = try await session(of: visitor)
            guard live.contains(visitor) else { throw PageFailure.signedOut }
            uses += 1
            return session
        } catch {
            live.leave(visitor, at: time.uptime())
            if sessions[visitor] == nil { live.remove(visitor) }
            throw error
        }
    }

    /// Ends a use.
    func leave(_ visitor: ChatPageVisitor) {
        live.leave(visitor, at: time.uptime())
        uses -= 1
        if isStopped, uses == 0 { drain.continuation.finish() }
    }

    private func session(of visitor: ChatPageVisitor) async throws -> VisitorSession {
        if let session = sessions[visitor] { return session }
        if let task = opening[visitor] { return try await task.value }
        let (open, time, limits, imagePath) = (open, time, outletLimits, imagePath)
        let (assets, logger) = (pictures, logger)
        // Several requests wait for one session. It is opened even if the first of them is cancelled.
        let task = Task {  // reason: shared by several requests, as described above
            let sdk = try await open(visitor)
            let screen = try sdk.getChat()
            let pictures = ThemePictures(of: screen, assets: assets)
            for (name, reason) in pictures.refusals {
                logger.warning(
                    "The page does not show a picture of the theme",
                    metadata: ["picture": "\(name)", "reason": "\(reason)"])
            }
            return VisitorSession(
                name: visitor.sessionName, sdk: sdk, screen: screen, pictures: pictures, time: time,
                outletLimits: limits, imagePath: imagePath)
        }
        opening[visitor] = task
        defer { opening[visitor] = nil }
        do {
            let session = try await task.value
            guard !isStopped else { throw Full() }
            // The visitor may have signed out while the session was being opened.
            guard live.contains(visitor) else { throw PageFailure.signedOut }
            sessions[visitor] = session
            await session.start()
            return session
        } catch {
            logger.debug("A session could not be opened", metadata: ["error": "\(error)"])
            throw error
        }
    }

    // MARK: Ends

    /// Ends idle sessions, and sends a sign of life to the pages of the others.
    func tick() async {
        for visitor in live.expire(at: time.uptime()) { await end(visitor, .evicted, "The chat was idle.") }
        for session in sessions.values { await session.beat() }
    }

    /// Ends a visitor's session.
    func signOut(_ visitor: ChatPageVisitor) async {
        live.remove(visitor)
        await end(visitor, .signedOut, "You are signed out.")
    }

    /// Ends all sessions. No session opens afterwards.
    func stop() async {
        isStopped = true
        for task in opening.values { task.cancel() }
        for visitor in Array(sessions.keys) {
            live.remove(visitor)
            await end(visitor, .stopping, "The server stops.")
        }
        if uses == 0 { drain.continuation.finish() }
    }

    /// Waits after ``stop()`` until every use has ended, or until the task is cancelled. Only one task may wait.
    nonisolated func drained() async {
        for await _ in drain.stream {}
    }

    private func end(_ visitor: ChatPageVisitor, _ reason: PageEnd, _ text: String) async {
        guard let session = sessions.removeValue(forKey: visitor) else { return }
        await session.close(reason, text: text)
    }
}
