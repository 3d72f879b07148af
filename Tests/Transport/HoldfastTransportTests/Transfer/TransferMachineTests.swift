import HTTPTypes
import Testing

@testable import HoldfastTransport

/// The state machines of transfers, without a network.
@Suite struct TransferMachineTests {
    private func machine(length: Int64 = 100, partLimit: Int64? = nil) throws -> ResumableUploadMachine {
        ResumableUploadMachine(
            try RequestURL("https://files.example/up"), length: length, version: .six, partLimit: partLimit)
    }

    private func response(_ status: Int, _ fields: [(String, String)]) throws -> HTTPResponse {
        var response = HTTPResponse(status: .init(code: status))
        for (name, value) in fields { response.headerFields[try #require(HTTPField.Name(name))] = value }
        return response
    }

    /// An upload from its creation, with a lost connection, to its end.
    @Test func anUpload() throws {
        var machine = try machine()
        #expect(machine.next == .create(0..<100, isLast: true))
        let isResumableAtFirst = machine.lost()
        #expect(!isResumableAtFirst, "an upload without a URL cannot be resumed")
        let fields = [("Upload-Draft-Interop-Version", "6"), ("Location", "/up/1")]
        try machine.informational(response(104, fields))
        try machine.informational(response(104, fields))
        try machine.informational(response(103, [("Location", "/elsewhere")]))
        let location = try RequestURL("https://files.example/up/1")
        #expect(machine.location == location)
        let isResumable = machine.lost()
        #expect(isResumable)
        #expect(machine.next == .askOffset(location))
        let isOver = try machine.answered(response(204, [("Upload-Offset", "60"), ("Upload-Complete", "?0")]))
        #expect(!isOver)
        #expect(machine.next == .append(location, 60..<100, isLast: true))
        let isOverNow = try machine.answered(response(200, []))
        #expect(isOverNow && machine.next == .nothing)
        let isResumableAtLast = machine.lost()
        #expect(!isResumableAtLast)
    }

    /// A server cannot have more bytes than were sent, so not a complete file after a part was sent. What an earlier
    /// call sent is unknown.
    @Test(arguments: [(30, true), (31, false), (100, false)] as [(Int64, Bool)])
    func moreThanWasSent(offset: Int64, isPossible: Bool) throws {
        let isWhole = offset == 100 ? "?1" : "?0"
        let answer = try response(204, [("Upload-Offset", "\(offset)"), ("Upload-Complete", isWhole)])
        var machine = try machine(partLimit: 30)
        try machine.informational(response(104, [("Upload-Draft-Interop-Version", "6"), ("Location", "/up/1")]))
        _ = machine.lost()
        do throws(TransferError) {
            _ = try machine.answered(answer)
            #expect(isPossible && machine.acknowledged == offset)
        } catch {
            #expect(!isPossible && error.code == .offsetRefused)
        }
        var later = try self.machine(partLimit: 30)
        try later.resume(at: "/up/1", acknowledged: 0)
        _ = try later.answered(answer)
        #expect(later.acknowledged == offset)
    }

    /// Parts have no gap and no overlap, however much of each part the server accepts.
    @Test(arguments: [1, 7, 30, 99, 100, 101] as [Int64])
    func parts(limit: Int64) throws {
        var machine = try machine(partLimit: limit)
        var there: Int64 = 0
        for turn in 0..<1000 {
            let (range, isLast): (Range<Int64>, Bool)
            switch machine.next {
            case .create(let part, let last): (range, isLast) = (part, last)
            case .append(_, let part, let last): (range, isLast) = (part, last)
            case .askOffset, .nothing: return #expect(there == 100)
            }
            #expect(range.lowerBound == there && range.count <= limit)
            // Every second time the server accepts half of the part.
            there = turn % 2 == 0 || isLast ? range.upperBound : range.lowerBound + Int64(range.count + 1) / 2
            let isComplete = there == 100
            _ = try machine.answered(
                response(
                    201,
                    [
                        ("Upload-Draft-Interop-Version", "6"), ("Location", "/up/1"), ("Upload-Offset", "\(there)"),
                        ("Upload-Complete", isComplete ? "?1" : "?0"),
                    ]))
        }
        Issue.record("The upload did not end")
    }

    /// An upload with `https:` stays with `https:`, even on the same host.
    @Test(arguments: ["http://files.example/up/1", "https://files.example:444/up/1", "https://files.example.evil/up/1"])
    func aLocationElsewhere(location: String) throws {
        var machine = try machine()
        let named = try response(104, [("Upload-Draft-Interop-Version", "6"), ("Location", location)])
        do throws(TransferError) {
            try machine.informational(named)
            Issue.record("The location was accepted")
        } catch {
            #expect(error.code == .locationRefused)
        }
        #expect(machine.location == nil)
    }

    /// Delays double up to a limit, and half of each is random. Invalid numbers do not trap.
    @Test func theDelays() {
        let retry = TransferRetry(firstDelay: .seconds(1), longestDelay: .seconds(5), random: { 1 })
        #expect((1...4).map { retry.delay(after: $0) } == [.seconds(1), .seconds(2), .seconds(4), .seconds(5)])
        #expect(retry.delay(after: .max) == .seconds(5))
        let half = TransferRetry(firstDelay: .seconds(1), random: { 0 })
        #expect(half.delay(after: 1) == .milliseconds(500))
        for drawn in [Double.nan, .infinity, -1] {
            let odd = TransferRetry(
                firstDelay: .seconds(Int64.max), longestDelay: .seconds(Int64.max), random: { drawn })
            #expect(odd.delay(after: .max) > .zero)
            #expect(TransferRetry(firstDelay: .seconds(-1), random: { drawn }).delay(after: 0) == .zero)
        }
    }
}
