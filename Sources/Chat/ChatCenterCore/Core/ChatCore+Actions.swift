import ChatWire

// Executes the actions of the state machines.
extension ChatCore {
    mutating func perform(_ actions: [CoreAction], _ update: inout CoreUpdate) {
        for action in actions { perform(action, &update) }
    }

    private mutating func perform(_ action: CoreAction, _ update: inout CoreUpdate) {
        let now = update.now
        switch action {
        case .effect(let effect): update.emit(effect)

        // The store.
        case .save(let change):
            conversation.note(change)
            save(change, &update)
        case .commit(let transaction): update.commit(transaction)
        case .removeFarewell(let user): update.save(.farewell(nil), of: user)
        case .storeReadFailed(let failure): commits.readFailed(failure)

        // The server.
        case .say(let body, let purpose): say(body, for: purpose, &update)
        case .sendMessage(let message):
            let body = ClientFrame.Body.sendMessage(message.content, deviceAddress: session.deviceAddress)
            transmit(body, for: .message(message.id), &update)
        case .tellStatuses(let changes, let purpose):
            transmit(.updateStatuses(changes, deviceAddress: session.deviceAddress), for: purpose, &update)
        case .call(let request, let purpose): call(request, for: purpose, &update)
        case .cancelSearch(let number):
            for call in calls.takeSearches(onScreen: number) { update.emit(.network(.cancel(.call(call.id)))) }
        case .noteServerTime(let time): serverClock.note(time, at: now)

        // The socket.
        case .open(let generation): openSocket(generation, &update)
        case .close(let generation, let reason):
            update.log(.webSocket, "closing socket \(generation.number): \(reason.rawValue)")
            socketIsGone(&update)
            update.emit(.network(.closeSocket(generation, reason)))
        case .register: register(&update)
        case .introduce:
            perform(farewells.introduced(), &update)
            if farewells.run == nil { transmitClientInfo(for: .introduce, &update) }
        case .becameReady:
            screenComposer.noteSocket(nil)
            update.log(.webSocket, "socket \(socket.generation.number) is ready")
            conversation.retryHistory()
            wantGap()
            requestMissingConfiguration(&update)
        case .ping(let generation):
            frames.pinged()
            update.emit(.network(.ping(generation)))
            if configuration.pingActionEnabled.value { transmit(.ping, for: .courtesy, &update) }
        case .lost(let cause):
            socketIsGone(&update)
            screenComposer.noteSocket(cause)
            update.log(.error, "socket \(socket.generation.number) was lost: \(cause.logged)")
            update.emit(.notify(.networkProblem(.socket(cause))))
            endFarewell(.localOnlyPending, &update)
        case .doubtSocket(let hasRoute): socket.networkChanged(at: now, hasRoute: hasRoute)
        case .replaceSocket: perform(socket.replace(.networkChanged), &update)
        case .disconnect: perform(socket.close(.loggedOut), &update)
        case .resumeSocket: socket.resume()
        case .tryAgain: tryAgainSoon(&update)

        // The session.
        case .goOn:
            socket.resume()
            conversation.retryHistory()
            requestMissingConfiguration(&update)
            wantGap()
        case .tellLoggedOut(let ticket, let outcome): commits.tellOutcome(.loggedOut(ticket, outcome), &update)
        case .tokenRefused(let id, let credentials, let failure):
            let isRetried = tokenRefused(credentials, failure.unauthorizedRefusal, byFileStore: true, &update)
            perform(conversation.tokenDecided(id, failure, isRetried: isRetried), &update)

        // The conversation.
        case .arrived(let id):
            frames.arrived(id)
            carryOut(action, &update)
        case .keep, .send, .tell, .changed, .fail, .uploadAgain, .lookUp, .resolveUnconfirmed, .limitLookUps, .redraw,
            .absorb, .absorbed, .absorbOlder, .noteAgent, .noteContent, .heardTyping, .fill, .held, .received:
            carryOut(action, &update)
        case .scroll(let message): screenComposer.scroll(to: message)
        case .ended(let failure): perform(session.progressed(history: .some(failure)), &update)

        // The configuration.
        case .pushed(let body): perform(configurator.pushed(body), &update)
        case .requestConfiguration: requestConfiguration(&update)
        }
    }

    private mutating func carryOut(_ action: CoreAction, _ update: inout CoreUpdate) {
        perform(conversation.carryOut(action, conditions(update), entropy: &update.entropy), &update)
    }

    /// Adds a change to the user's store.
    mutating func save(_ change: StoreChange, _ update: inout CoreUpdate) {
        if let user = session.clientID { update.save(change, of: user) }
    }

    /// Sends a content for the authorized user, or for the user who logs out.
    private mutating func say(
        _ body: ContentBody, for purpose: FrameLedger.Purpose, _ update: inout CoreUpdate
    ) {
        let farewell = purpose == .farewell ? farewells.run?.farewell : nil
        guard let clientID = farewell?.clientID ?? session.clientID else { return }
        let content = Content(
            body, clientID: clientID, uuid: update.entropy.uuid(), appMarker: settings.appMarker,
            apiVersion: settings.apiVersion)
        let address = farewell?.deviceAddress ?? session.deviceAddress
        transmit(.sendMessage(content, deviceAddress: address), for: purpose, &update)
    }
}
