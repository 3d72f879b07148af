import Foundation
import Synchronization

@testable import ChatCenter
@testable import ChatCenterCore
@testable import ChatCenterUI

/// A screen that records what the view model calls, in words.
final class FakeScreen: ChatScreenActions {
    private struct State {
        var calls: [String] = []
        var refusal: ChatSendError?
        var failure: TransportFailure?
        var bytes = Data([1, 2, 3])
        var opensLinks = false
    }

    private let state = Mutex(State())
    let attachmentLimits = ChatAttachmentLimits(maximumBytes: 1000, fileExtensions: ["pdf", "jpeg", "m4a"])

    /// The calls so far. Reading them forgets them.
    var calls: [String] {
        state.withLock { state in
            defer { state.calls = [] }
            return state.calls
        }
    }

    /// The reason to refuse the next messages.
    func refuse(_ error: ChatSendError?) { state.withLock { $0.refusal = error } }

    /// The failure of the next downloads.
    func fail(_ failure: TransportFailure?) { state.withLock { $0.failure = failure } }

    func opensLinks(_ opens: Bool) { state.withLock { $0.opensLinks = opens } }

    private func note(_ call: String) { state.withLock { $0.calls.append(call) } }

    private func accept(_ call: String) throws(ChatSendError) {
        note(call)
        if let refusal = state.withLock({ $0.refusal }) { throw refusal }
    }

    func viewDidAppear() { note("appear") }
    func viewDidDisappear() { note("disappear") }
    func typed(_ draft: String) { note("typed \(draft)") }
    func loadOlder() { note("older") }
    func quote(_ message: MessageID?) { note("quote \(message?.text ?? "-")") }
    func rate(_ survey: ChatScreenSurvey.ID, question: Int64, rate: Int64) { note("rate \(question) \(rate)") }
    func comment(_ survey: ChatScreenSurvey.ID, _ text: String) { note("comment \(text)") }
    func submit(_ survey: ChatScreenSurvey.ID) { note("submit") }
    func closeThread(_ request: ChatScreenSurvey.ID) { note("close") }
    func reopenThread(_ request: ChatScreenSurvey.ID) { note("reopen") }
    func search(_ text: String) { note("search \(text)") }
    func searchMore() { note("more") }
    func showContext(of message: MessageID) { note("context \(message)") }
    func loadOlderContext() { note("older context") }
    func loadNewerContext() { note("newer context") }
    func closeContext() { note("close context") }
    func reload() { note("reload") }
    func retry(_ message: MessageID) { note("retry \(message)") }
    func delete(_ message: MessageID) { note("delete \(message)") }

    func open(_ url: URL) -> Bool {
        note("open \(url.absoluteString)")
        return state.withLock { $0.opensLinks }
    }

    func sendText(_ text: String, _ id: MessageID) async throws(ChatSendError) { try accept("send \(id) \(text)") }

    func sendButton(_ button: ChatScreenMessage.Button, _ id: MessageID) async throws(ChatSendError) {
        try accept("press \(id) \(button.text)")
    }

    func sendFile(_ file: ChatOutgoingFile, _ id: MessageID) async throws(ChatSendError) {
        try accept("file \(id) \(file.name) \(file.type) \(file.durationMilliseconds ?? 0)")
    }

    func bytes(
        of file: ChatScreenMessage.File, onProgress: @escaping @Sendable (ChatTransferProgress) -> Void
    ) async throws -> Data {
        note("download \(file.name ?? "")")
        return try fetched()
    }

    func picture(at address: String) async throws -> Data {
        note("picture \(address)")
        return try fetched()
    }

    private func fetched() throws -> Data {
        let (failure, bytes) = state.withLock { ($0.failure, $0.bytes) }
        if let failure { throw failure }
        return bytes
    }
}

/// A player and recorder without a device.
@MainActor final class FakeAudio: ChatAudio {
    var calls: [String] = []
    var position: Int64? = 0
    var duration: Int64? = 4000
    var isAllowed = true
    var canRecord = true
    var recorded: URL?

    func load(_ bytes: Data) -> Int64? {
        calls.append("load \(bytes.count)")
        return duration
    }
    func play(from position: Int64) { calls.append("play \(position)") }
    func pause() { calls.append("pause") }
    func stop() { calls.append("stop") }
    func askForMicrophone() async -> Bool { isAllowed }
    func startRecording() -> Bool {
        calls.append("record")
        return canRecord
    }
    func endRecording() -> URL? {
        calls.append("end")
        return recorded
    }
}

/// A view model over a state that the test changes.
@MainActor final class TestModel {
    let screen = FakeScreen()
    let audio = FakeAudio()
    private let box: StateBox
    let model: ChatViewModel

    var state: ChatScreenState {
        get { box.state }
        set { box.state = newValue }
    }

    /// The time in milliseconds since 1970.
    var now: Int64 {
        get { box.now.withLock { $0 } }
        set { box.now.withLock { $0 = newValue } }
    }

    init(_ state: ChatScreenState = .sample(), options: ChatViewOptions = ChatViewOptions()) {
        let box = StateBox(state)
        self.box = box
        let ids = Mutex(0)
        let newID: @Sendable () -> MessageID = {
            let number = ids.withLock { number in
                number += 1
                return number
            }
            // The first one names a folder. Tests that run at the same time must not share it.
            return MessageID(number == 1 ? UUID().uuidString : "id\(number)")
        }
        model = ChatViewModel(
            screen: screen, state: { box.state }, texts: .keys(), options: options, audio: audio,
            now: { box.now.withLock { $0 } }, newID: newID)
    }

    /// Waits until the downloads have ended.
    func settle() async {
        while let task = model.downloadTasks.values.first { await task.value }
    }
}

@MainActor private final class StateBox {
    var state: ChatScreenState
    nonisolated let now = Mutex(start)

    init(_ state: ChatScreenState) { self.state = state }
}
