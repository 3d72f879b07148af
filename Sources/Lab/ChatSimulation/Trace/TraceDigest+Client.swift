import ChatCenterCore
import ChatWire

// Adds the events and effects of clients. Values of the protocol and of the store are added as their text on the wire
// and on the disk, so that two runs differ only in what these show.
extension TraceDigest {
    mutating func add(_ now: Int64, _ client: Int, _ event: ChatEvent, _ effects: [ChatEffect]) {
        add(now)
        add(client)
        add(event)
        for effect in effects { add(effect) }
    }

    mutating func add(_ now: Int64, _ client: Int, _ effect: ChatEffect) {
        add(now)
        add(client)
        add(effect)
    }

    private mutating func add(_ event: ChatEvent) {
        switch event {
        case .network(let event): add(event)
        case .authorize(let user, let credentials, let restored):
            add("authorize")
            add(user.clientID)
            add(credentials.token)
            add(restored)
        case .send(let ticket, let id, let message):
            add("send")
            add(ticket.number)
            add(id.text)
            add(message.text)
        case .page(let query, let result):
            add("page")
            add(query.count)
            guard case .success(let page) = result else { return }
            for message in page.messages { add(message) }
        case .found(let query, let result):
            add(query.text)
            guard case .success(let hits) = result else { return }
            for hit in hits { add(hit.id.text) }
        case .commitFailed(let transaction, let failure):
            add("commitFailed")
            add(failure.kind.rawValue)
            add(transaction)
        case .wake: add("wake")
        case .enteredBackground: add("background")
        case .enteredForeground: add("foreground")
        case .getChat(let screen): add(screen.number)
        case .screenAppeared(let screen):
            add("appeared")
            add(screen.number)
        case .screenDisappeared(let screen):
            add("disappeared")
            add(screen.number)
        case .pushToken(let token): add(token)
        case .typed(let text):
            add("typed")
            add(text)
        case .searchTyped(let text):
            add("searchTyped")
            add(text)
        case .loadOlder: add("older")
        case .searchMore: add("more")
        case .quote(let id):
            add("quote")
            add(id?.text)
        case .rateSurvey(let id, let question, let rate):
            add("rate")
            add(id.text)
            add(question)
            add(rate)
        case .submitSurvey(let id):
            add("submit")
            add(id.text)
        case .download(let id, let reference):
            add("download")
            add(id.text)
            add(reference)
        case .cancelTransfer(let id):
            add("cancelTransfer")
            add(id.text)
        case .unreadCount(let ticket):
            add("unreadCount")
            add(ticket.number)
        default: add(String(describing: event))
        }
    }

    private mutating func add(_ event: NetworkEvent) {
        switch event {
        case .received(let generation, let frame):
            add("received")
            add(generation.number)
            add(frame)
        case .transmitted(let generation, let id):
            add("transmitted")
            add(generation.number)
            add(id.number)
        case .answered(let id, let result):
            add("answered")
            add(id.number)
            switch result {
            case .success(let answer): add(answer)
            case .failure(let failure): add(failure.kind.rawValue)
            }
        case .socketClosed(let generation, let cause):
            add(generation.number)
            switch cause {
            case .transport(let failure): add(failure.kind.rawValue)
            case .closedByServer(let code, _, _): add(Int64(code ?? 0))
            case .handshakeTimeout, .refused, .linkDead, .tooManyAttempts: add("closed")
            }
        case .pathChanged(let hasRoute): add(hasRoute ? "route" : "no route")
        case .socketOpened(let generation):
            add("opened")
            add(generation.number)
        case .ponged(let generation):
            add("ponged")
            add(generation.number)
        case .transferred(let id, let result): add(id, result)
        default: add(String(describing: event))
        }
    }

    private mutating func add(_ id: TransferID, _ result: Result<RemoteFile, TransportFailure>) {
        add("transferred")
        add(id.text)
        switch result {
        // The location of a file depends on the store, so it is left out.
        case .success(let file):
            add(file.name)
            add(file.size ?? -1)
            add(file.type)
        case .failure(let failure): add(failure.kind.rawValue)
        }
    }

    private mutating func add(_ answer: RESTAnswer) {
        switch answer {
        case .history(let answer):
            add("history")
            for content in answer.messages { add(content) }
        case .configuration(let answer): add(answer.settings?.pingIntervalMillis ?? -1)
        case .unread(let answer): add(answer.count)
        case .search(let answer): add(answer.total)
        case .deviceDeleted: add("device deleted")
        case .refused(let status, let failure, let retryAfter):
            add(status)
            add(failure?.error)
            add(retryAfter ?? -1)
        case .unreadable: add("unreadable")
        }
    }

    mutating func add(_ content: Content) {
        add(content.wireType)
        add(content.uuid)
        add(content.messageID)
        add(content.clientID)
        add(content.text)
        add(content.receivedDate ?? -1)
        add(content.modified?.rawValue)
        add(content.read == true ? 1 : 0)
        for attachment in content.attachments { add(attachment.result) }
    }

    mutating func add(_ frame: ServerFrame) {
        add(frame.action)
        add(frame.correlationID)
        switch frame.body {
        case .registered(let address): add(address)
        case .receipt(let receipt):
            add(receipt.messageID)
            add(receipt.sentAt ?? -1)
        case .failure(_, let failure): add(failure.error)
        case .messages(let messages):
            for message in messages {
                add(message.messageID)
                add(message.content)
            }
        case .statuses(let changes): add(changes)
        case .done, .unknown: break
        }
    }

    mutating func add(_ changes: [StatusChange]) {
        for change in changes {
            add(change.messageID)
            add(change.status.rawValue)
        }
    }

    mutating func add(_ frame: ClientFrame) {
        add(frame.action)
        add(frame.correlationID)
        switch frame.body {
        case .registerDevice(let registration):
            add(registration.clientID)
            add(registration.deviceAddress)
        case .sendMessage(let content, let address):
            add(content)
            add(address)
        case .updateStatuses(let changes, let address):
            add(changes)
            add(address)
        case .ping, .unknown: break
        }
    }

    private mutating func add(_ message: StoredMessage) {
        add(message.id.text)
        add(message.position.time)
        add(message.position.sequence)
        switch message.state {
        case .received(let reading): add(reading.rawValue)
        case .own(let delivery): add(delivery)
        }
        add(message.content.text)
    }

    /// The store does not distinguish a message in flight from one of unknown outcome, and stores only the wall clock
    /// time of a deadline.
    private mutating func add(_ delivery: Delivery) {
        switch delivery {
        case .queued(_, let deadline):
            add("queued")
            add(deadline?.wall ?? -1)
        case .sending(_, let deadline):
            add("unconfirmed")
            add(deadline.wall)
        case .unconfirmed(_, let deadline):
            add("unconfirmed")
            add(deadline?.wall ?? -1)
        case .sent: add("sent")
        case .delivered: add("delivered")
        case .read: add("read")
        case .failed(let failure, let mayHaveArrived):
            add("failed")
            add(mayHaveArrived ? 1 : 0)
            if case .refused(let refusal) = failure { add(refusal.code) }
        }
        add(delivery.entry?.sequence ?? -1)
        add(delivery.entry?.expires.wall ?? -1)
    }

    private mutating func add(_ restored: PersistedChat) {
        add(restored.deviceAddress)
        add(restored.cursor)
        add(restored.farewell?.deviceAddress)
        add(restored.hasOlder ? 1 : 0)
        if let draft = restored.draft { add(draft) }
        for message in restored.messages { add(message) }
        for job in restored.attachments {
            add(job.id.text)
            add(job.checkpoint?.text)
        }
    }

    private mutating func add(_ effect: ChatEffect) {
        switch effect {
        case .commit(let transaction): add(transaction)
        case .acknowledge(let ticket, let result):
            add("acknowledge")
            add(ticket.number)
            if case .success(let id) = result { add(id.text) } else { add("refused") }
        case .network(let command): add(command)
        case .publish(let screen):
            add("publish")
            add(screen.unreadCount)
            add(screen.banners.count)
            add(screen.isVisible ? 1 : 0)
        case .log(let record): add(record.message)
        case .notify(let notice): add(notice)
        // The location of a file depends on the store, so it is left out.
        case .discardFile(let file): add(file.name)
        case .holdProcess(let milliseconds): add(milliseconds)
        case .releaseProcess: add("release")
        default: add(String(describing: effect))
        }
    }

    private mutating func add(_ notice: SDKNotice) {
        switch notice {
        case .configuration: add("configuration")
        case .unread(let count): add(count)
        case .message(let id, let state):
            add(id.text)
            add(state.rank)
            if state.isFailed { add("failed") }
        case .received(let ids): for id in ids { add(id.text) }
        case .connection(let state):
            switch state {
            case .idle: add("idle")
            case .connecting: add("connecting")
            case .registering: add("registering")
            case .ready: add("ready")
            case .waitingToReconnect(let attempt, let time, _):
                add(attempt)
                add(time)
            case .closed(let reason): add(reason.rawValue)
            }
        case .networkProblem(.call(let call, let failure)):
            add(call.rawValue)
            add(failure.kind.rawValue)
        case .networkProblem(.socket): add("lost")
        case .authorized(.success): add("authorized")
        case .authorized(.failure): add("not authorized")
        case .transferProgress(let id, let done, let total):
            add("progress")
            add(id.text)
            add(done)
            add(total ?? -1)
        case .transferred(let id, let result): add(id, result)
        default: add(String(describing: notice))
        }
    }

    private mutating func add(_ transaction: StoreTransaction) {
        add("commit")
        add(transaction.user)
        for change in transaction.changes {
            switch change {
            case .saveMessage(let message): add(message)
            case .removeMessage(let id): add(id.text)
            case .deviceAddress(let address): add(address)
            case .cursor(let uuid): add(uuid)
            case .farewell(let farewell): add(farewell?.deviceAddress)
            case .erase: add("erase")
            case .configuration: add("configuration")
            case .saveAttachment(let job): add(job.id.text)
            case .removeAttachment(let id): add(id.text)
            case .dialog(let state):
                add(state.phase == .active ? 1 : 0)
                add(state.since)
            default: add(String(describing: change))
            }
        }
    }

    private mutating func add(_ command: NetworkCommand) {
        switch command {
        case .transmit(let generation, let id, let frame):
            add("transmit")
            add(generation.number)
            add(id.number)
            add(frame)
        case .call(let id, let call):
            add("call")
            add(id.number)
            add(call.clientID)
            add(call.credentials.token)
        case .ping(let generation):
            add("ping")
            add(generation.number)
        case .openSocket(let generation, let request):
            add("open")
            add(generation.number)
            add(request.credentials.token)
        case .upload(let id, let plan):
            add("upload")
            add(id.text)
            add(plan.resume?.text)
            add(plan.credentials.token)
        case .download(let id, let plan):
            add("download")
            add(id.text)
            add(plan.reference)
            add(plan.credentials.token)
        case .closeSocket(let generation, let reason):
            add(reason.rawValue)
            add(generation.number)
        default: add(String(describing: command))
        }
    }
}
