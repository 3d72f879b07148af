import ChatCenterCore
import ChatServerCore
import ChatWire

/// The rules for what one client sends: on one socket, for the right user, in the foreground.
struct NetworkRules {
    let client: ClientNode
    /// The contents of the server's database.
    let server: ServerSnapshot

    init(_ client: ClientNode, _ server: ServerSnapshot) {
        self.client = client
        self.server = server
    }

    func socketIsAskedFor(_ generation: Generation, _ record: inout RunRecord) {
        let open = client.watch.openSockets
        if !open.isEmpty {
            record.complain(.oneSocket, "\(client.name) opens socket \(generation.number) while \(open) are open")
        }
        if !client.isForeground {
            record.complain(.quietTimer, "\(client.name) opens a socket in the background")
        }
        if client.watch.isTokenRefused, !client.reading.isTellingFarewell {
            record.complain(.oneSocket, "\(client.name) opens a socket with a token that was refused")
        }
        client.watch.openSockets.append(generation.number)
    }

    /// Checks that there is no socket and no timer in the background, except for the grace in which acknowledgements
    /// may arrive. The app asks the system for background time during the grace.
    func judgeBackground(_ wake: Int64?, _ record: inout RunRecord) {
        guard !client.isForeground else { return }
        let end = client.reading.backgroundDeadline
        let latest =
            client.backgroundSince + SimulationClock.nanoseconds(ChatCore.backgroundGrace)
            - client.origin
        if let wake, wake != end || wake > latest {
            record.complain(.quietTimer, "\(client.name) has a timer in the background")
        }
        if client.reading.liveGeneration != nil, end == nil || record.now - client.origin > latest {
            record.complain(.quietTimer, "\(client.name) has a socket in the background")
        }
        if (end != nil) != client.isHeld {
            record.complain(.quietTimer, "\(client.name) holds its process without a reason, or does not hold it")
        }
    }

    func judge(_ frame: ClientFrame, on link: Link, _ record: inout RunRecord) {
        let owner = TokenIssuer.owner(ofToken: link.request.credentials.token)
        switch frame.body {
        case .registerDevice(let registration):
            // A logout of an earlier process is reported without a token.
            if let owner, registration.clientID != owner {
                record.complain(
                    .usersApart,
                    "\(client.name) registers \(registration.clientID) with the token of \(owner)")
            }
            judge(registration.deviceAddress, of: registration.clientID, &record)
        case .sendMessage(let content, let address):
            let user = link.user
            if content.clientID != user || content.text.map({ !$0.hasPrefix(user ?? "") }) == true {
                record.complain(
                    .usersApart, "\(client.name) sends for \(content.clientID ?? "") on a socket of \(user ?? "")")
            }
            if case .typing = content.body, client.watch.typedAt < client.backgroundSince {
                record.complain(
                    .quietTimer, "\(client.name) sends a draft that was typed before it was in the background")
            }
            judge(address, of: user, &record)
        case .updateStatuses(_, let address): judge(address, of: link.user, &record)
        case .ping, .unknown: break
        }
    }

    func judge(_ call: RESTCall, _ record: inout RunRecord) {
        if call.request == .deleteDevice { return judgeDeletion(call, &record) }
        if TokenIssuer.owner(ofToken: call.credentials.token) != call.clientID {
            record.complain(.usersApart, "\(client.name) calls for \(call.clientID) with the token of another user")
        }
        if client.reading.authorisedClientID != call.clientID {
            record.complain(.usersApart, "\(client.name) calls for \(call.clientID), who is not authorized")
        }
        judge(call.deviceAddress, of: call.clientID, &record)
    }

    /// Checks that a logout is reported with the token of the user who logged out, or without a token. Later processes
    /// do not have the token.
    private func judgeDeletion(_ call: RESTCall, _ record: inout RunRecord) {
        if let owner = TokenIssuer.owner(ofToken: call.credentials.token), owner != call.clientID {
            record.complain(
                .usersApart, "\(client.name) deletes the device of \(call.clientID) with the token of another user")
        }
        judge(call.deviceAddress, of: call.clientID, &record)
    }

    /// Checks that the socket of a user who logged out is closed in time.
    func judgeFarewellTime(_ links: LinkTable, _ record: inout RunRecord) {
        guard client.isForeground || client.isHeld,
            let generation = client.reading.liveGeneration,
            let link = client.watch.links[generation.number], let parting = client.watch.partings.last
        else { return }
        let user = client.reading.authorisedClientID
        guard user == nil || links[link].user.map({ $0 != user }) == true else { return }
        let limit = parting.time + SimulationClock.nanoseconds(Self.farewellTime)
        if record.now > limit, record.now - limit > SimulationClock.nanoseconds(SendRules.slack) {
            record.complain(
                .farewell,
                "\(client.name) still has the socket of \(parting.user), who left at \(parting.time / 1_000_000) ms")
        }
    }

    /// In milliseconds.
    private static let farewellTime: Int64 = 5000

    func judge(_ plan: UploadPlan, _ record: inout RunRecord) {
        if TokenIssuer.owner(ofToken: plan.credentials.token) != plan.clientID {
            record.complain(.usersApart, "\(client.name) uploads for \(plan.clientID) with the token of another user")
        }
        if client.watch.discardedFiles.contains(plan.file.name) {
            record.complain(.filesFirst, "\(client.name) uploads \(plan.file.name), which was discarded")
        }
    }

    /// Checks that a device address is used only for the user it was assigned to.
    private func judge(_ address: String?, of user: String?, _ record: inout RunRecord) {
        guard let address, let device = server.devices.first(where: { $0.address == address }),
            device.clientID != user
        else { return }
        record.complain(.usersApart, "\(client.name) uses the address of \(device.clientID) for \(user ?? "nobody")")
    }
}
