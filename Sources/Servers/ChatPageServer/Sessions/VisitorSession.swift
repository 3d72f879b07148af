import ChatCenter
import ChatCenterCore
import ChatPage
import Foundation

/// One visitor's session: the SDK with its screen, and the pages that are connected.
actor VisitorSession {
    /// A connected page.
    struct Connection: Sendable {
        /// The number of the connection.
        let id: UInt64
        /// The frames for the page.
        let outlet: PageOutlet
        /// The page's own id.
        fileprivate let client: String
        /// The sign-in of the browser; `nil` for a connection that does not end with one.
        fileprivate let signIn: Secret.Digest?
    }

    /// An intent that a page has sent again, because its connection ended before the answer.
    private struct Repeated: Hashable {
        var client: String
        var number: UInt64
    }

    /// The maximum number of connected pages. A further one ends the oldest.
    static let connectionLimit = 8
    /// The time in milliseconds for which a page without JavaScript counts as visible after it was loaded.
    static let glanceTime: Int64 = 30_000
    /// The maximum number of cancelled uploads that a session remembers. Beyond it, the oldest is forgotten.
    static let cancelledLimit = 256

    /// The name of the session.
    nonisolated let name: String
    /// The chat's screen.
    nonisolated let screen: ChatScreen
    /// The pictures of the themes.
    nonisolated let pictures: ThemePictures
    private nonisolated let appearance: PageAppearance
    private let time: PageServerTime
    private let outletLimits: PageOutlet.Limits
    private var sdk: ChatCenterUISDK?
    private var page: PageSession
    private let isSignedIn: @Sendable (Secret.Digest) -> Bool
    private var connections: [Connection] = []
    private var lastConnection: UInt64 = 0
    /// The pages that are visible, by their ids.
    private var visible: Set<String> = []
    /// Until when the page without JavaScript counts as visible; `nil` if it does not.
    private var glanceEnd: Int64?
    private var isShown = false
    private var watch: Task<Void, Never>?
    /// The intents that a page has sent again while they were being performed.
    private var repeated: Set<Repeated> = []
    /// What the next page without JavaScript says at its top.
    private var notice: String?
    /// The messages whose upload was cancelled, oldest first. Their files may arrive afterwards.
    var cancelled: [MessageID] = []

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - name: The session's name in the protocol.
    ///   - sdk: The SDK with an authorized user. It is released when the session closes.
    ///   - imagePath: Returns the path of a proxied picture.
    ///   - isSignedIn: Returns whether a sign-in is still valid.
    init(
        name: String, sdk: ChatCenterUISDK, screen: ChatScreen, pictures: ThemePictures, time: PageServerTime,
        outletLimits: PageOutlet.Limits, imagePath: @escaping @Sendable (String) -> String?,
        isSignedIn: @escaping @Sendable (Secret.Digest) -> Bool
    ) {
        self.isSignedIn = isSignedIn
        self.name = name
        self.sdk = sdk
        self.screen = screen
        self.time = time
        self.outletLimits = outletLimits
        self.pictures = pictures
        appearance = PageAppearance(of: screen, pictures)
        page = PageSession(name: name, imagePath: imagePath)
    }

    /// Begins to follow the screen.
    func start() {
        let states = screen.states
        // reason: the task lives as long as the session, not as long as a request. `close` cancels it.
        watch = Task { [weak self] in  // reason: see above
            for await state in states { await self?.changed(state) }
        }
    }

    /// Ends the session: the pages get a last frame, and the SDK is released after it has stored its changes.
    func close(_ reason: PageEnd, _ text: ChatTextKey) async {
        watch?.cancel()
        watch = nil
        let frame = page.end(reason, text: text.currentText)
        for connection in connections {
            connection.outlet.push(frame)
            connection.outlet.close()
        }
        connections = []
        visible = []
        glanceEnd = nil
        showOrHide()
        // The process can end now.
        await screen.settle()
        sdk = nil
    }

    // MARK: Pages

    /// Connects a page. The connection's outlet contains what the page has missed. If the browser was signed out
    /// meanwhile, the outlet contains only the reason, and has ended.
    ///
    /// - Parameters:
    ///   - client: The page's id.
    ///   - number: The last change that the page has seen.
    ///   - signIn: The sign-in of the browser. The connection ends with it.
    func connect(client: String, after number: UInt64?, signIn: Secret.Digest? = nil) -> Connection {
        changed(screen.state)
        lastConnection += 1
        let connection = Connection(
            id: lastConnection, outlet: PageOutlet(limits: outletLimits), client: client, signIn: signIn)
        guard signIn.map(isSignedIn) ?? true else {
            end(connection, .signedOut, .serverSignedOut)
            return connection
        }
        if connections.count >= Self.connectionLimit, let oldest = connections.first {
            end(oldest, .replaced, .serverTooManyWindows)
        }
        for frame in page.connect(after: number, pageState(screen.state), now: time.wall()) {
            connection.outlet.push(frame)
        }
        connections.append(connection)
        return connection
    }

    /// Tells a page why its connection ends, and ends it.
    private func end(_ connection: Connection, _ reason: PageEnd, _ text: ChatTextKey) {
        connection.outlet.push(page.end(reason, text: text.currentText))
        connection.outlet.close()
        disconnect(connection.id)
    }

    /// Forgets a connection. The page no longer counts as visible, unless it is connected in another way.
    func disconnect(_ id: UInt64) {
        guard let index = connections.firstIndex(where: { $0.id == id }) else { return }
        let connection = connections.remove(at: index)
        connection.outlet.close()
        guard !connections.contains(where: { $0.client == connection.client }) else { return }
        visible.remove(connection.client)
        showOrHide()
    }

    /// Returns the page with the current state, for a browser that loads it.
    func firstPage() -> (state: PageState, frame: PageFrame?, notice: String?) {
        let state = screen.state
        changed(state)
        glance()
        defer { notice = nil }
        let shown = pageState(state)
        return (shown, page.connect(after: nil, shown, now: time.wall()).first, notice)
    }

    /// The texts and the theme.
    nonisolated var theme: PageAppearance { appearance }

    /// Sets the sentence that the next page without JavaScript shows.
    func setNotice(_ text: String) {
        notice = String(text.prefix(500))
    }

    // MARK: Frames

    private func changed(_ state: ChatScreenState) {
        guard let frame = page.update(pageState(state), now: time.wall()) else { return }
        for connection in connections { connection.outlet.push(frame) }
    }

    private func pageState(_ state: ChatScreenState) -> PageState {
        let limits = screen.attachmentLimits
        return PageState(
            screen: state, security: screen.security,
            limits: PageFileLimits(maximumBytes: limits.maximumBytes, fileExtensions: limits.fileExtensions),
            appearance: appearance)
    }

    /// Ends the connections of browsers that are signed out, sends a sign of life to the other pages, and ends the
    /// visibility of a page without JavaScript.
    func beat() {
        for connection in connections where !(connection.signIn.map(isSignedIn) ?? true) {
            end(connection, .signedOut, .serverSignedOut)
        }
        if let end = glanceEnd, end <= time.uptime() {
            glanceEnd = nil
            showOrHide()
        }
        guard !connections.isEmpty else { return }
        let frame = page.beat(now: time.wall())
        for connection in connections { connection.outlet.push(frame) }
    }

    // MARK: Intents

    /// Performs an intent of a page. Returns the frame to answer with; `nil` if the answer follows when an earlier
    /// request with the same intent ends. That request's connection may be gone, so that the page's connections get the
    /// answer.
    ///
    /// Throws ``PageProtocolError``. Its answer, if it has one, must be sent to the page.
    func receive(_ bytes: [UInt8], from client: String) async throws(PageProtocolError) -> PageFrame? {
        switch try page.receive(bytes, from: client) {
        case .answered(let frame): return frame
        case .pending(let number):
            repeated.insert(Repeated(client: client, number: number))
            return nil
        case .perform(let number, let intent):
            let result = await perform(intent, from: client)
            let frame = page.answer(number, from: client, result)
            if repeated.remove(Repeated(client: client, number: number)) != nil {
                for connection in connections where connection.client == client { connection.outlet.push(frame) }
            }
            return frame
        }
    }

    /// Returns the answer frame of a request without a number, such as an upload.
    func answer(_ result: PageAnswer, to client: String) -> PageFrame {
        page.answer(0, from: client, result)
    }

    /// Changes whether a page is visible.
    func setVisible(_ isVisible: Bool, _ client: String) {
        // Only connected pages count, so that the set is bounded and ends with the connections.
        if isVisible, connections.contains(where: { $0.client == client }) {
            visible.insert(client)
            // The loaded page has a script, which says when nobody looks at it any more. During a reload, the earlier
            // page disappears before the new one appears, so only an appearance ends the time of a load.
            glanceEnd = nil
        } else {
            visible.remove(client)
        }
        showOrHide()
    }

    /// Records that a page was loaded or a form was sent. The page counts as visible for a while.
    func glance() {
        glanceEnd = time.uptime() + Self.glanceTime
        showOrHide()
    }

    private func showOrHide() {
        let shows = !visible.isEmpty || glanceEnd != nil
        guard shows != isShown else { return }
        isShown = shows
        if shows { screen.viewDidAppear() } else { screen.viewDidDisappear() }
    }
}
