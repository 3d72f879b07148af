import ChatPage
import HoldfastWebSocket

/// One page's WebSocket: passes frames in both directions until either side ends it.
struct PageSocket: Sendable {
    let connection: WebSocketConnection
    let house: SessionHouse
    let browser: PageAccess.Browser
    let place: PagePlace

    /// Runs until the socket is closed. Cancellation disconnects it.
    func run() async {
        let use: SessionHouse.Use
        do {
            use = try await house.enter(browser.visitor)
        } catch {
            let failure = PageGuard.failure(error)
            return await connection.close(
                failure == .full ? .tryAgainLater : .internalError, reason: String(failure.code.prefix(100)))
        }
        let session = use.session
        let page = await session.connect(client: place.client, after: place.number, signIn: browser.signIn)
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await read(session, page.outlet)
                return true
            }
            group.addTask {
                await write(page.outlet)
                return true
            }
            group.addTask { await cutIfTooSlow(page.outlet) }
            // The first task that returns true ends the others.
            while let isOver = await group.next(), !isOver {}
            group.cancelAll()
        }
        await session.disconnect(page.id)
        await house.leave(use)
        await connection.close(.goingAway)
    }

    private func read(_ session: VisitorSession, _ outlet: PageOutlet) async {
        do {
            for try await message in connection.messages {
                guard case .text(let text) = message else {
                    return await connection.close(.unsupportedData, reason: "Only text frames are supported.")
                }
                do throws(PageProtocolError) {
                    if let answer = try await session.receive(Array(text.utf8), from: place.client) {
                        outlet.push(answer)
                    }
                } catch {
                    guard let answer = error.answer else {
                        return await connection.close(.policyViolation, reason: error.code.rawValue)
                    }
                    outlet.push(answer)
                }
            }
        } catch {
            // The page violated the protocol or disconnected; the connection has already reported it if possible.
        }
    }

    private func write(_ outlet: PageOutlet) async {
        for await frame in outlet.frames {
            do {
                try await connection.send(.text(String(decoding: frame.bytes, as: UTF8.self)))
            } catch {
                return
            }
            outlet.took(frame)
        }
        guard !Task.isCancelled, !outlet.isTooSlow else { return }
        await connection.close(.goingAway)
    }

    /// Closes the socket of a page that reads too slowly, because the task that writes would wait forever. Returns
    /// `false` if the outlet ended for another reason: its last frames must still be written.
    private func cutIfTooSlow(_ outlet: PageOutlet) async -> Bool {
        for await _ in outlet.end {}
        guard outlet.isTooSlow else { return false }
        await connection.close(.tryAgainLater, reason: "The page reads too slowly.")
        return true
    }
}
