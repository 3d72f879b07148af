import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the transfers: when uploads start, what is retried, and when a message fails with its files.
@Suite struct TransferMachineTests {
    static let now = Moment(monotonic: 0, wall: 1_000_000)
    static let timeout: Int64 = 10_000
    let message = MessageID("m")
    let account = Account(credentials: WireCredentials(token: "t"), clientID: "ann", deviceAddress: "device")
    let configuration = ChatCore(settings: ChatSettings(providerUID: "p")).configuration

    func at(_ milliseconds: Int64) -> Moment {
        Moment(monotonic: milliseconds * 1_000_000, wall: Self.now.wall + milliseconds)
    }

    func file(_ id: String) -> OutgoingMessage.File {
        OutgoingMessage.File(id: TransferID(id), file: LocalFile(path: "/\(id)", name: id, type: "text/plain", size: 3))
    }

    /// Returns a window with the queued message and its files.
    func window(_ files: [String], isQueued: Bool = true) -> MessageWindow {
        let entry = OutboxEntry(sequence: 1, expires: Self.now.after(milliseconds: 100_000))
        let attachments = files.map { Attachment(id: $0, name: $0, state: .pending) }
        var window = MessageWindow()
        window.save(
            StoredMessage(
                id: message, content: Content(.message, uuid: message.text, attachments: attachments),
                position: MessagePosition(time: 0, sequence: 1),
                state: .own(isQueued ? .queued(entry, deadline: nil) : .failed(.timedOut, mayHaveArrived: false))))
        return window
    }

    func machine(_ files: [String]) -> TransferMachine {
        var machine = TransferMachine(uploadTimeout: Self.timeout)
        _ = machine.plan(files.map(file), of: message)
        return machine
    }

    func uploads(_ actions: [CoreAction]) -> [TransferID] {
        actions.compactMap { if case .effect(.network(.upload(let id, _))) = $0 { id } else { nil } }
    }

    func end(_ id: String, _ failure: TransportFailure) -> CoreAction {
        .notify(.transferred(TransferID(id), .failure(failure)))
    }

    @Test func oneFileIsUploadedAtATime() {
        let window = window(["a", "b"])
        var machine = machine(["a", "b"])
        #expect(machine.waitingMessages == [message])
        let first = machine.startNext(for: account, in: window, at: Self.now)
        #expect(uploads(first) == [TransferID("a")])
        #expect(first.first == .redraw)
        #expect(machine.isUploading(message))
        #expect(machine.startNext(for: account, in: window, at: Self.now).isEmpty, "an upload is in progress")
    }

    @Test func theMessageGetsTheServersNameOfTheFile() {
        var entropy = EntropySource(seed: 1)
        let window = window(["a"])
        var machine = machine(["a"])
        _ = machine.startNext(for: account, in: window, at: Self.now)
        let result = Result<RemoteFile, TransportFailure>.success(RemoteFile(reference: "r", size: 4))
        let actions = machine.ended(
            TransferID("a"), result, in: window, at: Self.now, configuration, entropy: &entropy)
        guard case .keep(let kept) = actions.first else {
            Issue.record("the message was not stored")
            return
        }
        #expect(kept.content.attachments.first?.result == "r")
        #expect(kept.content.attachments.first?.size == 4)
        #expect(
            actions.dropFirst() == [
                .save(.removeAttachment(TransferID("a"))), .effect(.discardFile(file("a").file)),
                .notify(.transferred(TransferID("a"), result)),
            ])
        #expect(!machine.hasUpload(TransferID("a")))
    }

    @Test func aTransientFailureIsRetriedUntilTheTimeIsOver() {
        var entropy = EntropySource(seed: 1)
        let window = window(["a"])
        var machine = machine(["a"])
        _ = machine.startNext(for: account, in: window, at: Self.now)
        let failure = TransportFailure(.unreachable)
        let actions = machine.ended(
            TransferID("a"), .failure(failure), in: window, at: at(1), configuration, entropy: &entropy)
        #expect(!actions.contains(end("a", failure)), "a retried failure is not reported")
        #expect(machine.startNext(for: account, in: window, at: at(1)).isEmpty, "the retry is not due yet")
        #expect(machine.wake(window, mayCall: false) == Self.timeout * 1_000_000)
        #expect(machine.wake(window, mayCall: true).map { $0 < Self.timeout * 1_000_000 } == true)
        machine.retryNow()
        #expect(uploads(machine.startNext(for: account, in: window, at: at(2))) == [TransferID("a")])
        let late = machine.expire(window, at: at(Self.timeout))
        let timedOut = TransportFailure(.timedOut)
        #expect(late.contains(.network(.cancel(.transfer(TransferID("a"))))))
        #expect(late.suffix(2) == [.fail(message, timedOut), end("a", timedOut)])
        #expect(machine.hasUpload(TransferID("a")), "the user can resend it")
        #expect(machine.expire(window, at: at(Self.timeout)).isEmpty)
    }

    @Test func aPermanentFailureCancelsTheOtherFilesOfTheMessage() {
        var entropy = EntropySource(seed: 1)
        let window = window(["a", "b"])
        var machine = machine(["a", "b"])
        _ = machine.startNext(for: account, in: window, at: Self.now)
        let failure = TransportFailure(.file)
        let actions = machine.ended(
            TransferID("a"), .failure(failure), in: window, at: Self.now, configuration, entropy: &entropy)
        #expect(actions.suffix(3) == [.redraw, .fail(message, failure), end("a", failure)])
        #expect(!machine.isUploading(message))
        let again = machine.ended(
            TransferID("a"), .failure(failure), in: window, at: Self.now, configuration, entropy: &entropy)
        #expect(again.isEmpty, "the result of an ended attempt is ignored")
    }

    @Test func aRefusedTokenIsHandledElsewhere() {
        var entropy = EntropySource(seed: 1)
        let window = window(["a"])
        var machine = machine(["a"])
        _ = machine.startNext(for: account, in: window, at: Self.now)
        let failure = TransportFailure(.refused, status: 401)
        let id = TransferID("a")
        let actions = machine.ended(
            id, .failure(failure), in: window, at: Self.now, configuration, entropy: &entropy)
        #expect(actions.last == .tokenRefused(id, account.credentials, failure))
        #expect(machine.tokenDecided(id, failure, isRetried: true, in: window).isEmpty)
        #expect(
            machine.tokenDecided(id, failure, isRetried: false, in: window)
                == [.redraw, .fail(message, failure), end("a", failure)])
    }

    @Test func aFailedMessageKeepsItsFilesUntilItIsSentAgain() {
        var machine = machine(["a"])
        let failed = window(["a"], isQueued: false)
        #expect(machine.startNext(for: account, in: failed, at: Self.now).isEmpty)
        #expect(machine.wake(failed, mayCall: true) == nil)
        machine.startOver(message)
        #expect(uploads(machine.startNext(for: account, in: window(["a"]), at: Self.now)) == [TransferID("a")])
    }

    @Test func aDroppedMessageDropsItsFiles() {
        let window = window(["a", "b"])
        var machine = machine(["a", "b"])
        _ = machine.startNext(for: account, in: window, at: Self.now)
        #expect(
            machine.drop(message) == [
                .save(.removeAttachment(TransferID("a"))), .save(.removeAttachment(TransferID("b"))),
                .network(.cancel(.transfer(TransferID("a")))), .effect(.discardFile(file("a").file)),
                .effect(.discardFile(file("b").file)),
            ])
        #expect(machine.drop(message).isEmpty)
    }

    @Test func downloadsNeedAnAccountAndEndWithTheUser() {
        var entropy = EntropySource(seed: 1)
        var machine = TransferMachine(uploadTimeout: Self.timeout)
        let id = TransferID("d")
        let cancelled = end("d", TransportFailure(.cancelled))
        #expect(machine.download(id, "r", for: nil) == [cancelled])
        _ = machine.download(id, "r", for: account)
        #expect(machine.forgetUser() == [.network(.cancel(.transfer(id))), cancelled])
        #expect(machine.forgetUser().isEmpty)
        _ = machine.download(id, "r", for: account)
        #expect(
            machine.cancel(id, in: MessageWindow(), at: Self.now, configuration, entropy: &entropy)
                == [.network(.cancel(.transfer(id))), cancelled])
        #expect(machine == TransferMachine(uploadTimeout: Self.timeout))
    }

    @Test func progressIsReportedInHundredths() {
        let window = window(["a"])
        var machine = machine(["a"])
        let id = TransferID("a")
        _ = machine.progressed(id, 5, of: 1000)
        #expect(machine.progress.isEmpty, "the upload has not started")
        _ = machine.startNext(for: account, in: window, at: Self.now)
        for bytes: Int64 in [10, 11, 20] {
            #expect(machine.progressed(id, bytes, of: 1000) == [.notify(.transferProgress(id, bytes, of: 1000))])
        }
        #expect(machine.progress.map(\.bytes) == [20])
        let token = UploadCheckpoint("c")
        #expect(machine.reachedCheckpoint(id, token).count == 1)
        #expect(machine.reachedCheckpoint(TransferID("x"), token).isEmpty)
    }

    @Test func anUnstoredUploadIsRolledBack() {
        var machine = machine(["a"])
        machine.takeBack(TransferID("a"))
        #expect(!machine.hasUpload(TransferID("a")))
        machine.restore([AttachmentJob(id: TransferID("b"), message: message, file: file("b").file, state: .uploading)])
        #expect(!machine.isUploading(message), "no upload continues in another process")
        #expect(machine.hasUpload(TransferID("b")))
    }
}
