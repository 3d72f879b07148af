import ChatCenterCore
import ChatServerCore
import ChatWire

// What goes out: on one socket, in the name of the right user, in the foreground.
extension World {
    func socketIsAskedFor(_ generation: Generation, _ request: SocketRequest, _ client: Int) {
        let open = clients[client].watch.openSockets
        if !open.isEmpty {
            complain(.oneSocket, "\(name(client)) opens socket \(generation.number) beside \(open)")
        }
        if !clients[client].isForeground {
            complain(.quietTimer, "\(name(client)) opens a socket in the background")
        }
        clients[client].watch.openSockets.append(generation.number)
    }

    /// In the background there is no socket and no timer, but for the moment in which acknowledgements may still come,
    /// and for so long the process asks the system to be let run.
    func judgeBackground(_ wake: Int64?, _ client: Int) {
        guard !clients[client].isForeground else { return }
        let end = clients[client].core.backgroundDeadline
        let latest =
            clients[client].backgroundSince + SimulationClock.nanoseconds(ChatCore.backgroundGrace)
            - clients[client].origin
        if let wake, wake != end || wake > latest {
            complain(.quietTimer, "\(name(client)) has a timer in the background")
        }
        if clients[client].core.liveGeneration != nil, end == nil || now - clients[client].origin > latest {
            complain(.quietTimer, "\(name(client)) has a socket in the background")
        }
        if (end != nil) != clients[client].isHeld {
            complain(.quietTimer, "\(name(client)) holds its process without a reason, or has none held")
        }
    }

    func judge(_ frame: ClientFrame, _ number: Int, _ client: Int) {
        let owner = Self.owner(ofToken: links[number].request.credentials.token)
        switch frame.body {
        case .registerDevice(let registration):
            links[number].user = registration.clientID
            // A logout of an earlier process is told without a token.
            if let owner, registration.clientID != owner {
                complain(
                    .usersApart,
                    "\(name(client)) registers \(registration.clientID) with the token of \(owner)")
            }
            judge(registration.deviceAddress, of: registration.clientID, client)
        case .sendMessage(let content, let address):
            let user = links[number].user
            if content.clientID != user || content.text.map({ !$0.hasPrefix(user ?? "") }) == true {
                complain(
                    .usersApart, "\(name(client)) sends for \(content.clientID ?? "") on a socket of \(user ?? "")")
            }
            judge(address, of: user, client)
            if frame.isMessage { judge(content, frame.correlationID, client) }
        case .updateStatuses(_, let address): judge(address, of: links[number].user, client)
        case .ping, .unknown: break
        }
    }

    func judge(_ call: RESTCall, _ client: Int) {
        if call.request == .deleteDevice { return judgeDeletion(call, client) }
        if Self.owner(ofToken: call.credentials.token) != call.clientID {
            complain(.usersApart, "\(name(client)) calls for \(call.clientID) with another's token")
        }
        if clients[client].core.authorisedClientID != call.clientID {
            complain(.usersApart, "\(name(client)) calls for \(call.clientID), who is not there")
        }
        judge(call.deviceAddress, of: call.clientID, client)
    }

    /// A logout is reported with the token of the user who logged out, or without one: the next process has none.
    private func judgeDeletion(_ call: RESTCall, _ client: Int) {
        if let owner = Self.owner(ofToken: call.credentials.token), owner != call.clientID {
            complain(.usersApart, "\(name(client)) deletes the device of \(call.clientID) with another's token")
        }
        judge(call.deviceAddress, of: call.clientID, client)
    }

    /// The socket of a user who logged out is closed in time.
    func judgeFarewellTime(_ client: Int) {
        guard clients[client].isForeground || clients[client].isHeld,
            let generation = clients[client].core.liveGeneration,
            let link = clients[client].watch.links[generation.number], let parting = clients[client].watch.partings.last
        else { return }
        let user = clients[client].core.authorisedClientID
        guard user == nil || links[link].user.map({ $0 != user }) == true else { return }
        let limit = parting.time + SimulationClock.nanoseconds(Self.farewellTime)
        if now > limit, now - limit > SimulationClock.nanoseconds(Self.slack) {
            complain(
                .farewell, "\(name(client)) has held a socket for \(parting.user) since \(parting.time / 1_000_000)")
        }
    }

    /// Milliseconds.
    private static let farewellTime: Int64 = 5000

    func judge(_ plan: UploadPlan, _ client: Int) {
        if Self.owner(ofToken: plan.credentials.token) != plan.clientID {
            complain(.usersApart, "\(name(client)) uploads for \(plan.clientID) with another's token")
        }
        if clients[client].watch.discardedFiles.contains(plan.file.name) {
            complain(.filesFirst, "\(name(client)) uploads \(plan.file.name), which it has given up")
        }
    }

    /// An address is used for the user that it was given to.
    private func judge(_ address: String?, of user: String?, _ client: Int) {
        guard let address, let device = server.shelf.contents.devices.first(where: { $0.address == address }),
            device.clientID != user
        else { return }
        complain(.usersApart, "\(name(client)) uses the address of \(device.clientID) for \(user ?? "nobody")")
    }
}
