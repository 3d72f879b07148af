import ChatCenter
import ChatPage
import Logging

/// Opens a visitor's session when a request needs it, and ends it when it was idle for too long. The SDK's store keeps
/// the conversation, so that the next request opens the session again.
actor SessionHouse {
    /// The server has as many sessions in use as it may have.
    struct Full: Error {}

    /// A use of a visitor's session. Its end is ``leave(_:)``.
    struct Use: Sendable {
        /// The session.
        let session: VisitorSession
        fileprivate let live: LiveSessions.Use
    }

    /// What the end of a session does. Tests replace it.
    struct Ending: Sendable {
        /// Ends a session.
        var close: @Sendable (VisitorSession, PageEnd, ChatTextKey) async -> Void = { await $0.close($1, $2) }
        /// Called when a visitor's new session waits for the end of the one before.
        var waits: @Sendable () -> Void = {}
    }

    private let open: @Sendable (ChatPageVisitor) async throws -> ChatCenterUISDK
    private let imagePath: @Sendable (String) -> String?
    private let pictures: ChatPagePictures
    private let time: PageServerTime
    private let outletLimits: PageOutlet.Limits
    private let logger: Logger
    private let isSignedIn: @Sendable (Secret.Digest) -> Bool
    private let ending: Ending
    private var live: LiveSessions
    private var sessions: [ChatPageVisitor: VisitorSession] = [:]
    private var opening: [ChatPageVisitor: Task<VisitorSession, any Error>] = [:]
    /// The ends of sessions. A visitor's new session waits for the end of the one before, because both use one store.
    private var closing: [ChatPageVisitor: Task<Void, Never>] = [:]
    private var isStopped = false
    /// The number of uses that have begun and not ended.
    private var uses = 0
    private let drain = AsyncStream.makeStream(of: Never.self)

    /// Creates a house without sessions.
    init(
        live: LiveSessions, time: PageServerTime, outletLimits: PageOutlet.Limits, logger: Logger,
        pictures: ChatPagePictures, imagePath: @escaping @Sendable (String) -> String?,
        isSignedIn: @escaping @Sendable (Secret.Digest) -> Bool, ending: Ending = Ending(),
        open: @escaping @Sendable (ChatPageVisitor) async throws -> ChatCenterUISDK
    ) {
        self.live = live
        self.time = time
        self.outletLimits = outletLimits
        self.logger = logger
        self.imagePath = imagePath
        self.pictures = pictures
        self.isSignedIn = isSignedIn
        self.ending = ending
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
        let use = try await enter(visitor)
        do {
            let value = try await body(use.session)
            await leave(use)
            return value
        } catch {
            await leave(use)
            throw error
        }
    }

    /// Begins a use. Call ``leave(_:)`` at its end.
    func enter(_ visitor: ChatPageVisitor) async throws -> Use {
        while let task = closing[visitor] {
            ending.waits()
            await task.value
        }
        guard !isStopped else { throw Full() }
        let use: LiveSessions.Use
        switch live.enter(visitor, at: time.uptime()) {
        case .full: throw Full()
        case .use(let known): use = known
        case .open(let new, let others):
            use = new
            opening[visitor] = task(for: visitor, after: others.compactMap { close($0, .evicted, .serverIdle)?.task })
        }
        do {
            let session = try await session(of: use)
            try check(use)
            uses += 1
            return Use(session: session, live: use)
        } catch {
            live.leave(use, at: time.uptime())
            if live.contains(use), sessions[visitor] == nil {
                live.remove(use)
                opening[visitor] = nil
            }
            throw error
        }
    }

    /// Ends a use.
    func leave(_ use: Use) {
        live.leave(use.live, at: time.uptime())
        uses -= 1
        if isStopped, uses == 0 { drain.continuation.finish() }
    }

    /// Begins to open a session. Several requests wait for it. It is opened even if the first of them is cancelled.
    private func task(
        for visitor: ChatPageVisitor, after ends: [Task<Void, Never>]
    ) -> Task<VisitorSession, any Error> {
        let (open, time, limits, imagePath, isSignedIn) = (open, time, outletLimits, imagePath, isSignedIn)
        let (assets, logger) = (pictures, logger)
        return Task {  // reason: shared by several requests, as described above
            for end in ends { await end.value }
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
                outletLimits: limits, imagePath: imagePath, isSignedIn: isSignedIn)
        }
    }

    /// Throws if the session of a use was ended while it was being opened. `close` then also ends the opened one.
    private func check(_ use: LiveSessions.Use) throws {
        guard !isStopped else { throw Full() }
        guard live.contains(use) else { throw PageFailure.signedOut }
    }

    private func session(of use: LiveSessions.Use) async throws -> VisitorSession {
        if let session = sessions[use.visitor] { return session }
        guard let task = opening[use.visitor] else { throw Full() }
        let session: VisitorSession
        do {
            session = try await task.value
        } catch {
            logger.debug("A session could not be opened", metadata: ["error": "\(error)"])
            throw error
        }
        try check(use)
        if sessions[use.visitor] == nil {
            sessions[use.visitor] = session
            opening[use.visitor] = nil
            await session.start()
        }
        return session
    }

    // MARK: Ends

    /// Ends idle sessions and the connections of browsers that are signed out, and sends a sign of life to the pages.
    func tick() async {
        for visitor in live.expire(at: time.uptime()) { await end(visitor, .evicted, .serverIdle) }
        for session in sessions.values { await session.beat() }
    }

    /// Ends a visitor's session.
    func signOut(_ visitor: ChatPageVisitor) async {
        live.remove(visitor)
        await end(visitor, .signedOut, .serverSignedOut)
    }

    /// Ends all sessions. No session opens afterwards.
    func stop() async {
        isStopped = true
        for visitor in Set(sessions.keys).union(opening.keys) {
            live.remove(visitor)
            await end(visitor, .stopping, .serverStopping)
        }
        if uses == 0 { drain.continuation.finish() }
    }

    /// Waits after ``stop()`` until every use has ended, or until the task is cancelled. Only one task may wait.
    nonisolated func drained() async {
        for await _ in drain.stream {}
    }

    /// Ends a session, and waits for its end. Does not wait for a session that is still being opened, because only the
    /// app knows how long that takes.
    private func end(_ visitor: ChatPageVisitor, _ reason: PageEnd, _ text: ChatTextKey) async {
        guard let (task, isOpen) = close(visitor, reason, text), isOpen else { return }
        await task.value
    }

    /// Begins to end a session, also one that is being opened. Returns `nil` if there is none.
    private func close(
        _ visitor: ChatPageVisitor, _ reason: PageEnd, _ text: ChatTextKey
    ) -> (task: Task<Void, Never>, isOpen: Bool)? {
        let (open, pending) = (sessions.removeValue(forKey: visitor), opening.removeValue(forKey: visitor))
        guard open != nil || pending != nil else { return nil }
        pending?.cancel()
        let close = ending.close
        let task = Task {  // reason: a new session of the visitor waits for it, also if the caller is cancelled
            var session = open
            // A session that could not be opened needs no end.
            if session == nil { session = try? await pending?.value }
            if let session { await close(session, reason, text) }
            closed(visitor)
        }
        closing[visitor] = task
        return (task, open != nil)
    }

    private func closed(_ visitor: ChatPageVisitor) {
        closing[visitor] = nil
    }
}
