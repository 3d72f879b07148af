import ChatCenterCore
import ChatServerCore
import ChatWire

/// The quiet time after the plan. Everything works, and the rules check that every promise is kept.
struct QuietTime {
    private let world: World

    init(_ world: World) {
        self.world = world
    }

    private var clients: [ClientNode] { world.clients }

    func pass() {
        guard world.record.isGood else { return }
        heal()
        // Processes that ended start again, and delayed authorizations follow.
        advance(by: 16_000)
        for client in clients.indices {
            let app = world.app(client)
            if clients[client].user == nil { app.authorize(world.setup.devices[client].user) }
            app.enterForeground()
            world.hand(.network(.pathChanged(hasRoute: true)), to: client)
            if let user = clients[client].user { app.authorize(user) }
            app.openScreen()
        }
        for user in users { PlanPerformer(world).greets(user) }
        advance(by: 15_000)
        awaitNextAttempts()
        for client in clients.indices { world.app(client).browse() }
        advance(by: 5_000)
        for client in clients.indices { world.app(client).goOn() }
        advance(by: 25_000)
        guard world.record.isGood else { return }
        for client in clients {
            quietRules.judgeMessages(of: client, isFinal: false, &world.record)
            ScreenRules(client).judgeSearch(world.server.shelf.contents, &world.record)
        }

        // No screen is open, so new messages are unread. Entering the foreground fetches missed messages.
        for client in clients.indices { world.app(client).closeScreen() }
        for user in users { PlanPerformer(world).operatorSays(user) }
        advance(by: 1000)
        for client in clients.indices { world.app(client).enterBackground(for: 200) }
        advance(by: 15_000)
        for client in clients {
            quietRules.judgeUnread(of: client, &world.record)
            ScreenRules(client).judgeClosed(&world.record)
        }

        // A message that is sent while the server counts arrives before or after the count.
        for client in clients.indices { PlanPerformer(world).asksUnreadCount(client) }
        for user in users { PlanPerformer(world).operatorSays(user) }
        advance(by: 5000)
        for client in clients { quietRules.judgeUnread(of: client, &world.record) }

        for client in clients.indices { world.app(client).openScreen() }
        advance(by: 10_000)
        for user in users { PlanPerformer(world).types(user) }
        advance(by: 2000)
        for client in clients { ScreenRules(client).judgeTyping(&world.record) }
        advance(by: 10_000)
        goBack()
        guard world.record.isGood else { return }
        let rules = quietRules
        for client in clients {
            ScreenRules(client).judgeRest(&world.record)
            QueueRules(client).judgeCopies(&world.record)
            let extensions = world.setup.server.configuration.attachmentSettings?.fileExtensions ?? []
            if client.reading.authorisedClientID != nil, client.core.allowedFileExtensions != extensions {
                world.complain(.complete, "\(client.name) accepts the file types \(client.core.allowedFileExtensions)")
            }
            rules.judgeMessages(of: client, isFinal: true, &world.record)
            rules.judgeConversation(of: client, &world.record)
            rules.judgeRestored(of: client, &world.record)
            world.userRules(client.index).judgePartings(&world.record)
            world.userRules(client.index).judgeFarewells(&world.record)
            if client.watch.unreadTold != 0 {
                world.complain(.unreadCount, "\(client.name) has unread messages on an open screen")
            }
        }
        rules.judgeServer(&world.record)
    }

    /// Waits until no device waits for its next attempt to connect. After many failures an attempt can be later than
    /// the next step of the quiet time. The limit is longer than every delay, so that a device that never connects is
    /// judged.
    private func awaitNextAttempts() {
        for _ in 0..<Self.longestDelaySeconds {
            let isWaiting = clients.contains { client in
                if case .waitingToReconnect = client.core.screen.connection { return client.isAlive }
                return false
            }
            guard isWaiting, world.record.isGood else { return }
            advance(by: 1000)
        }
    }

    private static let longestDelaySeconds = 90

    /// Loads older messages on every device until the conversation's beginning.
    private func goBack() {
        for _ in 0..<20 {
            let waiting = clients.indices.filter { clients[$0].core.screen.paging != .atBeginning }
            guard !waiting.isEmpty, world.record.isGood else { return }
            for client in waiting { world.hand(.loadOlder, to: client) }
            advance(by: 1500)
        }
    }

    private var quietRules: QuietRules {
        QuietRules(clients: clients, server: world.server.shelf.contents, shelf: world.shelf)
    }

    private func advance(by milliseconds: Int64) { world.advance(toMilliseconds: world.now / 1_000_000 + milliseconds) }

    /// The users who are authorized on at least one device.
    private var users: [Int] {
        SimulationSetup.users.indices.filter { user in clients.contains { $0.user == user } }
    }

    private func heal() {
        for client in clients { client.heal(pins: [world.server.key]) }
        world.server.failingCommits = 0
        world.server.plannedCrash = nil
        world.note("== everything works")
    }
}
