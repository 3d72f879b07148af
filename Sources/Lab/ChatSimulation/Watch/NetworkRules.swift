import ChatCenterCore
import ChatServerCore
import ChatWire

/// The rules of what one client sends: on one socket, in the name of the right user, in the foreground.
struct NetworkRules {
    let client: ClientNode
    /// What the server keeps.
    let server: ServerSnapshot

    init(_ client: ClientNode, _ server: ServerSnapshot) {
        self.client = client
        self.server = server
    }

    func socketIsAskedFor(_ generation: Generation, _ chronicle: inout Chronicle) {
        let open = client.watch.openSockets
        if !open.isEmpty {
            chronicle.complain(.oneSocket, "\(client.name) opens socket \(generation.number) beside \(open)")
        }
        if !client.isForeground {
            chronicle.complain(.quietTimer, "\(client.name) opens a socket in the background")
        }
        if client.watch.isTokenRefused, !client.core.isTellingFarewell {
            chronicle.complain(.oneSocket, "\(client.name) opens a socket with a token that was refused")
        }
        client.watch.openSockets.append(generation.number)
    }

    /// In the background there is no socket and no timer, but for the moment in which acknowledgements may still come,
    /// and for so long the process asks the system to be let run.
    func judgeBackground(_ wake: Int64?, _ chronicle: inout Chronicle) {
        guard !client.isForeground else { return }
        let end = client.core.backgroundDeadline
        let latest =
            client.backgroundSince + SimulationClock.nanoseconds(ChatCore.backgroundGrace)
            - client.origin
        if let wake, wake != end || wake > latest {
            chronicle.complain(.quietTimer, "\(client.name) has a timer in the background")
        }
        if client.core.liveGeneration != nil, end == nil || chronicle.now - client.origin > latest {
            chronicle.complain(.quietTimer, "\(client.name) has a socket in the background")
        }
        if (end != nil) != client.isHeld {
            chronicle.complain(.quietTimer, "\(client.name) holds its process without a reason, or has none held")
        }
    }

    func judge(_ frame: ClientFrame, on link: Link, _ chronicle: inout Chronicle) {
        let owner = TokenOffice.owner(ofToken: link.request.credentials.token)
        switch frame.body {
        case .registerDevice(let registration):
            // A logout of an earlier process is told without a token.
            if let owner, registration.clientID != owner {
                chronicle.complain(
                    .usersApart,
                    "\(client.name) registers \(registration.clientID) with the token of \(owner)")
            }
            judge(registration.deviceAddress, of: registration.clientID, &chronicle)
        case .sendMessage(let content, let address):
            let user = link.user
            if content.clientID != user || content.text.map({ !$0.hasPrefix(user ?? "") }) == true {
                chronicle.complain(
                    .usersApart, "\(client.name) sends for \(content.clientID ?? "") on a socket of \(user ?? "")")
            }
            judge(address, of: user, &chronicle)
        case .updateStatuses(_, let address): judge(address, of: link.user, &chronicle)
        case .ping, .unknown: break
        }
    }

    func judge(_ call: RESTCall, _ chronicle: inout Chronicle) {
        if call.request == .deleteDevice { return judgeDeletion(call, &chronicle) }
        if TokenOffice.owner(ofToken: call.credentials.token) != call.clientID {
            chronicle.complain(.usersApart, "\(client.name) calls for \(call.clientID) with another's token")
        }
        if client.core.authorisedClientID != call.clientID {
            chronicle.complain(.usersApart, "\(client.name) calls for \(call.clientID), who is not there")
        }
        judge(call.deviceAddress, of: call.clientID, &chronicle)
    }

    /// A logout is reported with the token of the user who logged out, or without one: the next process has none.
    private func judgeDeletion(_ call: RESTCall, _ chronicle: inout Chronicle) {
        if let owner = TokenOffice.owner(ofToken: call.credentials.token), owner != call.clientID {
            chronicle.complain(
                .usersApart, "\(client.name) deletes the device of \(call.clientID) with another's token")
        }
        judge(call.deviceAddress, of: call.clientID, &chronicle)
    }

    /// The socket of a user who logged out is closed in time.
    func judgeFarewellTime(_ links: LinkTable, _ chronicle: inout Chronicle) {
        guard client.isForeground || client.isHeld,
            let generation = client.core.liveGeneration,
            let link = client.watch.links[generation.number], let parting = client.watch.partings.last
        else { return }
        let user = client.core.authorisedClientID
        guard user == nil || links[link].user.map({ $0 != user }) == true else { return }
        let limit = parting.time + SimulationClock.nanoseconds(Self.farewellTime)
        if chronicle.now > limit, chronicle.now - limit > SimulationClock.nanoseconds(SendRules.slack) {
            chronicle.complain(
                .farewell, "\(client.name) has held a socket for \(parting.user) since \(parting.time / 1_000_000)")
        }
    }

    /// Milliseconds.
    private static let farewellTime: Int64 = 5000

    func judge(_ plan: UploadPlan, _ chronicle: inout Chronicle) {
        if TokenOffice.owner(ofToken: plan.credentials.token) != plan.clientID {
            chronicle.complain(.usersApart, "\(client.name) uploads for \(plan.clientID) with another's token")
        }
        if client.watch.discardedFiles.contains(plan.file.name) {
            chronicle.complain(.filesFirst, "\(client.name) uploads \(plan.file.name), which it has given up")
        }
    }

    /// An address is used for the user that it was given to.
    private func judge(_ address: String?, of user: String?, _ chronicle: inout Chronicle) {
        guard let address, let device = server.devices.first(where: { $0.address == address }),
            device.clientID != user
        else { return }
        chronicle.complain(.usersApart, "\(client.name) uses the address of \(device.clientID) for \(user ?? "nobody")")
    }
}
