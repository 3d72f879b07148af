import HTTPTypes
import NIOHTTP1
import Testing

@testable import HoldfastTransport

/// A connection's life, event by event.
@Suite struct HTTP1MachineTests {
    private func head(_ code: Int = 200, _ headers: HTTPHeaders = ["content-length": "0"]) -> HTTPResponseHead {
        HTTPResponseHead(version: .http1_1, status: .init(statusCode: code), headers: headers)
    }

    @Test func oneExchangeAfterTheOther() throws {
        var machine = HTTP1Machine(maximumInformational: 1)
        for number in 1...3 {
            #expect(machine.begin(.get, closesAfterwards: false) == true)
            #expect(machine.begin(.get, closesAfterwards: false) == false)
            #expect(machine.exchanges == number)
            #expect(machine.phase == .sending)
            machine.requestEnded()
            #expect(machine.phase == .awaitingResponse)
            #expect(try machine.head(head()) == .deliver(.length(0)))
            #expect(machine.phase == .receiving)
            #expect(machine.readCycleEnded() == nil)
            #expect(machine.responseEnded() == true)
            #expect(machine.responseEnded() == false)
            #expect(machine.readCycleEnded() == true)
            #expect(!machine.isBusy)
        }
        #expect(machine.failed() == .close)
        #expect(machine.failed() == .nothing)
        #expect(machine.begin(.get, closesAfterwards: false) == false)
    }

    @Test func whatEndsTheConnection() throws {
        for (headers, closes) in [
            (HTTPHeaders([("connection", "close"), ("content-length", "0")]), false), ([:], false),
            (["content-length": "0"], true),
        ] as [(HTTPHeaders, Bool)] {
            var machine = HTTP1Machine(maximumInformational: 1)
            _ = machine.begin(.get, closesAfterwards: closes)
            machine.requestEnded()
            _ = try machine.head(head(200, headers))
            #expect(machine.responseEnded() == true)
            #expect(machine.readCycleEnded() == false)
            #expect(machine.isClosed)
        }
    }

    @Test func aResponseBeforeTheEndOfTheRequestEndsTheConnection() throws {
        var machine = HTTP1Machine(maximumInformational: 1)
        _ = machine.begin(.post, closesAfterwards: false)
        _ = try machine.head(head())
        #expect(machine.responseEnded() == true)
        #expect(machine.readCycleEnded() == false)
    }

    @Test func whoseFailureItIs() throws {
        var machine = HTTP1Machine(maximumInformational: 1)
        _ = machine.begin(.get, closesAfterwards: false)
        machine.requestEnded()
        #expect(machine.failed() == .failExchange(.awaitingResponse))

        machine = HTTP1Machine(maximumInformational: 1)
        _ = machine.begin(.get, closesAfterwards: false)
        machine.requestEnded()
        _ = try machine.head(head())
        _ = machine.responseEnded()
        // All of the response is here: its exchange succeeds whatever becomes of the connection.
        #expect(machine.failed() == .completeExchange)
    }

    @Test func heads() throws {
        var machine = HTTP1Machine(maximumInformational: 2)
        #expect(throws: TransportError.self) { try machine.head(head()) }
        _ = machine.begin(.get, closesAfterwards: false)
        #expect(try machine.head(head(100, [:])) == .skip)
        #expect(try machine.head(head(103, [:])) == .skip)
        #expect(throws: TransportError.self) { try machine.head(head(103, [:])) }
        #expect(throws: TransportError.self) { try machine.head(head(101, [:])) }
        #expect(try machine.head(head()) == .deliver(.length(0)))
        #expect(throws: TransportError.self) { try machine.head(head()) }
    }
}
