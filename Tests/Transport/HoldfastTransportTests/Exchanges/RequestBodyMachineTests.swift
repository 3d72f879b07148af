import Testing

@testable import HoldfastTransport

/// Sending a body, event by event.
@Suite struct RequestBodyMachineTests {
    private let part = RequestBodyMachine.partSize

    private func sending(asks: Bool = false) -> RequestBodyMachine {
        var machine = RequestBodyMachine()
        machine.begin(asks: asks)
        return machine
    }

    /// Returns the next step for a body without a closure.
    private func next(_ machine: inout RequestBodyMachine, _ body: PreparedBody) -> RequestBodyMachine.Step {
        machine.next(of: body) {
            Issue.record("The machine requested a part")
            return .nothingYet
        }
    }

    @Test func withoutABodyNothingIsSent() {
        var machine = RequestBodyMachine()
        #expect(next(&machine, .bytes([1])) == .nothing)
        #expect(machine.isSent && !machine.isUnderway)
        // Head and body are one write.
        machine.wrote()
        #expect(!machine.isSent)
        machine.sent()
        #expect(machine.isSent)
    }

    @Test func bytesAreSentInParts() {
        let bytes = (0..<part + 3).map { UInt8(truncatingIfNeeded: $0) }
        var machine = sending()
        #expect(next(&machine, .bytes(bytes)) == .write(bytes[..<part], isLast: false))
        machine.wrote()
        #expect(machine.isUnderway)
        #expect(next(&machine, .bytes(bytes)) == .write(bytes[part...], isLast: true))
        machine.wrote()
        #expect(!machine.isUnderway)
        #expect(next(&machine, .bytes(bytes)) == .nothing)
        machine.sent()
        #expect(!machine.isSent)
        machine.sent()
        #expect(machine.isSent)
        #expect(!machine.hasTakenStream)
    }

    @Test func anEmptyBodyEndsAtOnce() {
        var machine = sending()
        #expect(next(&machine, .bytes([])) == .end)
        #expect(next(&machine, .bytes([])) == .nothing)
        #expect(machine.isSent)
    }

    @Test func aFileIsReadInParts() throws {
        let body = PreparedBody.file(try FileReader(path: #filePath), 10..<15)
        var machine = sending()
        #expect(next(&machine, body) == .read(at: 10))
        // A part that is being read is not requested twice.
        #expect(next(&machine, body) == .nothing)
        #expect(machine.isUnderway)
        #expect(machine.read([1, 2], of: body) == .write([1, 2], isLast: false))
        #expect(next(&machine, body) == .read(at: 12))
        #expect(machine.read([3, 4, 5], of: body) == .write([3, 4, 5], isLast: true))
        #expect(!machine.isUnderway)
        // A part that is no longer needed is dropped.
        #expect(machine.read([6], of: body) == .nothing)
    }

    @Test func aStreamIsSplitAndEnds() {
        let bytes = [UInt8](repeating: 7, count: part + 1)
        var takes: [RequestBodySlot.Take] = [.nothingYet, .part(bytes), .part([8]), .finished]
        var machine = sending()
        func next() -> RequestBodyMachine.Step { machine.next(of: .stream(length: nil)) { takes.removeFirst() } }
        #expect(next() == .nothing)
        #expect(!machine.hasTakenStream)
        #expect(next() == .write(bytes[..<part], isLast: false))
        #expect(next() == .write([7], isLast: false))
        #expect(next() == .write([8], isLast: false))
        #expect(machine.hasTakenStream)
        #expect(next() == .end)
        #expect(takes.isEmpty)
        #expect(!machine.isUnderway)
    }

    /// If the length is known, the machine recognizes the last part.
    @Test func aStreamWithALengthEndsWithIt() {
        var machine = sending()
        #expect(machine.next(of: .stream(length: 3)) { .part([1, 2]) } == .write([1, 2], isLast: false))
        #expect(machine.next(of: .stream(length: 3)) { .part([3]) } == .write([3], isLast: true))
        #expect(machine.next(of: .stream(length: 3)) { .finished } == .nothing)
    }

    @Test func theServerAsksForTheBody() {
        var machine = sending(asks: true)
        #expect(next(&machine, .bytes([1])) == .nothing)
        #expect(machine.isUnderway)
        #expect(machine.asked() == true)
        #expect(machine.asked() == false)
        #expect(next(&machine, .bytes([1])) == .write([1], isLast: true))
        #expect(machine.answered() == false)
    }

    /// A final response instead of 100 Continue: the body is never sent, and the request stays incomplete.
    @Test func anEarlyResponseSkipsTheBody() {
        var machine = sending(asks: true)
        #expect(machine.answered() == true)
        #expect(machine.asked() == false)
        #expect(next(&machine, .bytes([1])) == .nothing)
        #expect(!machine.isUnderway)
        #expect(!machine.isSent)
    }

    @Test func afterAStopNothingIsSent() {
        var machine = sending()
        _ = machine.next(of: .stream(length: nil)) {
            .part([UInt8](repeating: 1, count: 2 * RequestBodyMachine.partSize))
        }
        machine.wrote()
        machine.stop()
        #expect(machine.next(of: .stream(length: nil)) { .part([1]) } == .nothing)
        #expect(machine.hasTakenStream)
        #expect(!machine.isSent)
    }
}
