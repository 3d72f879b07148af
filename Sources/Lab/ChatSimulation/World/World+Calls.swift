import ChatCenterCore
import ChatServerCore
import ChatWire

// REST calls.
extension World {
    /// The timeout of a call in milliseconds.
    static let callTimeout: Int64 = 10_000

    func begin(_ call: RESTCall, _ id: CallID, _ client: Int) {
        networkRules(client).judge(call, &record)
        clients[client].watch.calls += 1
        clients[client].watch.callNumbers[id.number] = clients[client].watch.calls
        let life = clients[client].life
        if case .configuration = call.request { clients[client].watch.configurationCalls.insert(id.number) }
        if call.request == .deleteDevice {
            clients[client].watch.deletions[id.number] = call.clientID
            clients[client].watch.reportedLogouts.insert(call.clientID)
        }
        if case .history = call.request {
            SendRules(clients[client]).historyRequested(id, &record)
            if bugs.isPlanted(.resendWithoutLookUp),
                clients[client].watch.messages.contains(where: \.isOutcomeUnknown)
            {
                let answer = RESTAnswer.history(HistoryAnswer(messages: []))
                clients[client].watch.historyCalls.remove(id.number)
                after(
                    milliseconds: 0, .clientEvent(client: client, life: life, .network(.answered(id, .success(answer))))
                )
                return
            }
        }
        if !clients[client].conditions.hasRoute(at: now) {
            return fail(client, id, TransportFailure(.noConnectivity))
        }
        if let failure = clients[client].conditions.takeCallFailure() { return strike(failure, client, id) }
        let time = clients[client].conditions.callArrival(at: now)
        guard time - now < SimulationClock.nanoseconds(Self.callTimeout) else {
            after(milliseconds: Self.callTimeout, .callTimesOut(client: client, life: life, id))
            return
        }
        at(time, .called(client: client, life: life, id, call))
    }

    private func strike(_ failure: Fault.CallFailure, _ client: Int, _ id: CallID) {
        let result: Result<RESTAnswer, TransportFailure>
        switch failure {
        case .failed:
            result = .success(.refused(status: 500, nil, retryAfterMilliseconds: nil))
        case .busy:
            result = .success(.refused(status: 503, nil, retryAfterMilliseconds: 2000))
        case .malformed:
            result = .failure(TransportFailure(.malformedAnswer))
        case .timedOut:
            after(
                milliseconds: Self.callTimeout, .callTimesOut(client: client, life: clients[client].life, id))
            return
        }
        let life = clients[client].life
        at(
            clients[client].conditions.callArrival(at: now),
            .clientEvent(client: client, life: life, .network(.answered(id, result))))
    }

    private func fail(_ client: Int, _ id: CallID, _ failure: TransportFailure) {
        let event = ChatEvent.network(.answered(id, .failure(failure)))
        after(milliseconds: 10, .clientEvent(client: client, life: clients[client].life, event))
    }

    /// A call arrives at the server.
    func called(_ client: Int, _ life: Int, _ id: CallID, _ call: RESTCall) {
        guard isLife(client, life) else { return }
        guard server.isUp else { return fail(client, id, TransportFailure(.unreachable)) }
        if let refusal = refusalOfKey(client) { return fail(client, id, refusal) }
        record.tally { $0.serverCalls += 1 }
        server.callUnderWay = (client, life, id, call.request)
        let caller = Caller(
            token: call.credentials.token, clientID: call.deviceAddress == nil ? call.clientID : nil,
            deviceAddress: call.deviceAddress)
        handServer(.called(ServerCallID(record.figures.serverCalls), call.request, caller))
        // The server's process ended before it answered.
        if server.callUnderWay != nil { fail(client, id, TransportFailure(.unreachable)) }
        server.callUnderWay = nil
    }

    /// Returns the server's answer to the client.
    func answered(_ answer: ServerAnswer) {
        guard let call = server.callUnderWay else { return }
        server.callUnderWay = nil
        let result = codec.restAnswer(answer, to: call.request, &record)
        let event = ChatEvent.network(.answered(call.id, .success(result)))
        at(
            clients[call.client].conditions.callArrival(at: now),
            .clientEvent(client: call.client, life: call.life, event))
    }

    func answer(_ client: Int, _ id: CallID, _ result: Result<RESTAnswer, TransportFailure>) {
        hand(.network(.answered(id, result)), to: client)
    }
}
