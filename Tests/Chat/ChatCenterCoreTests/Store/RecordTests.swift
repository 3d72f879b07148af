import ChatCenterCore
import ChatWire
import Testing

/// Tests rows as JSON.
@Suite struct RecordTests {
    static let entry = OutboxEntry(sequence: 3, expires: Deadline(monotonic: .max, wall: 99))
    static let deadline = Deadline(monotonic: .max, wall: 55)

    static let states: [MessageState] = [
        .received(.unread), .received(.readHere), .received(.read), .own(.sent), .own(.delivered), .own(.read),
        .own(.queued(entry, deadline: nil)), .own(.queued(entry, deadline: deadline)),
        .own(.unconfirmed(entry, deadline: deadline)), .own(.unconfirmed(entry, deadline: nil)),
        .own(.failed(.timedOut, mayHaveArrived: true)), .own(.failed(.expired, mayHaveArrived: false)),
        .own(.failed(.refused(ServerRefusal(code: "c", details: "d")), mayHaveArrived: false)),
        .own(
            .failed(
                .upload(
                    TransportFailure(
                        .trust, trust: TrustFailureSummary(code: "pin", reason: "r"), status: 3,
                        refusal: ServerRefusal(code: "x"))), mayHaveArrived: false)),
    ]

    @Test(arguments: states)
    func aMessageRoundTrips(_ state: MessageState) throws {
        let message = StoredMessage(
            id: MessageID("id"), serverID: "m", content: Content(.message, uuid: "id", text: "Hi"),
            position: MessagePosition(time: 5, sequence: -2), state: state)
        let text = message.record.text
        #expect(StoredMessage(record: try JSONValue(parsing: text)) == message)
    }

    @Test func aMessageBeingSentIsUnconfirmedInTheNextProcess() throws {
        let message = StoredMessage(
            id: MessageID("id"), content: Content(.message), position: MessagePosition(time: 1, sequence: 1),
            state: .own(.sending(Self.entry, deadline: Deadline(monotonic: 7, wall: 55))))
        #expect(
            StoredMessage(record: message.record)?.state == .own(.unconfirmed(Self.entry, deadline: Self.deadline)))
    }

    @Test func aJobRoundTrips() throws {
        let job = AttachmentJob(
            id: TransferID("t"), message: MessageID("m"), file: LocalFile(path: "p", name: "n", type: "t", size: 4),
            checkpoint: UploadCheckpoint("c"))
        #expect(AttachmentJob(record: job.record) == job)
        #expect(AttachmentJob(record: .object([:])) == nil)
    }

    @Test(arguments: [
        "{}", "[]", #"{"id":"a"}"#, #"{"id":"a","time":1,"sequence":1,"content":{}}"#,
        #"{"id":"a","time":1,"sequence":1,"content":{},"own":{"state":"queued"}}"#,
        #"{"id":"a","time":1,"sequence":1,"content":{},"own":{"state":"failed"}}"#,
        #"{"id":"a","time":1,"sequence":1,"content":{},"received":"eaten"}"#,
    ])
    func aMalformedRowIsIgnored(_ text: String) throws {
        #expect(StoredMessage(record: try JSONValue(parsing: text)) == nil)
    }
}
