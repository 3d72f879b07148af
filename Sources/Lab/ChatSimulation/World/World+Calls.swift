import ChatCenterCore
import ChatServerCore
import ChatWire

// REST calls and files.
extension World {
    /// Milliseconds until a call that nobody answers is given up.
    static let callTimeout: Int64 = 10_000

    func begin(_ call: RESTCall, _ id: ClientCallID, _ client: Int) {
        judge(call, client)
        clients[client].watch.calls += 1
        clients[client].watch.callNumbers[id.number] = clients[client].watch.calls
        let life = clients[client].life
        if case .history = call.request {
            clients[client].watch.historyCalls.insert(id.number)
            if options.plantedBug == .resendWithoutLookUp,
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
        if now < clients[client].weather.noRouteUntil {
            return fail(client, id, TransportFailure(.noConnectivity))
        }
        if let failure = clients[client].weather.failingCalls.first {
            clients[client].weather.failingCalls.removeFirst()
            return strike(failure, client, id)
        }
        let time = callArrival(client)
        guard time - now < SimulationClock.nanoseconds(Self.callTimeout) else {
            after(milliseconds: Self.callTimeout, .callTimesOut(client: client, life: life, id))
            return
        }
        queue.add(.called(client: client, life: life, id, call), at: time)
    }

    private func strike(_ failure: Fault.CallFailure, _ client: Int, _ id: ClientCallID) {
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
        queue.add(.clientEvent(client: client, life: life, .network(.answered(id, result))), at: callArrival(client))
    }

    private func callArrival(_ client: Int) -> Int64 {
        clients[client].weather.calls += 1
        let latency = 5 + Int64(draws.number(.callLatency, client, clients[client].weather.calls) % 200)
        return max(now, clients[client].weather.silentUntil) + SimulationClock.nanoseconds(latency)
    }

    private func fail(_ client: Int, _ id: ClientCallID, _ failure: TransportFailure) {
        let event = ChatEvent.network(.answered(id, .failure(failure)))
        after(milliseconds: 10, .clientEvent(client: client, life: clients[client].life, event))
    }

    /// A call arrives at the server.
    func called(_ client: Int, _ life: Int, _ id: ClientCallID, _ call: RESTCall) {
        guard isLife(client, life) else { return }
        guard server.isUp else { return fail(client, id, TransportFailure(.unreachable)) }
        if let refusal = refusalOfKey(client) { return fail(client, id, refusal) }
        figures.serverCalls += 1
        callUnderWay = (client, life, id, call.request)
        let caller = Caller(
            token: call.credentials.token, clientID: call.deviceAddress == nil ? call.clientID : nil,
            deviceAddress: call.deviceAddress)
        handServer(.called(ServerCallID(figures.serverCalls), call.request, caller))
        // The server died, or could not say.
        if callUnderWay != nil { fail(client, id, TransportFailure(.unreachable)) }
        callUnderWay = nil
    }

    /// The server's answer goes back.
    func answered(_ answer: ServerAnswer) {
        guard let call = callUnderWay else { return }
        callUnderWay = nil
        let result = restAnswer(answer, to: call.request)
        let event = ChatEvent.network(.answered(call.id, .success(result)))
        queue.add(.clientEvent(client: call.client, life: call.life, event), at: callArrival(call.client))
    }

    func answer(_ client: Int, _ id: ClientCallID, _ result: Result<RESTAnswer, TransportFailure>) {
        hand(.network(.answered(id, result)), to: client)
    }

    // MARK: Files

    func upload(_ id: TransferID, _ plan: UploadPlan, _ client: Int) {
        judge(plan, client)
        uploadBegins(id, client)
        let life = clients[client].life
        clients[client].watch.cancelledTransfers.remove(id.text)
        clients[client].weather.calls += 1
        let draw = draws.number(.callLatency, client, clients[client].weather.calls)
        after(
            milliseconds: 40, .clientEvent(client: client, life: life, .network(.progress(id, 500, of: plan.file.size)))
        )
        if draw % 3 == 0 {
            after(
                milliseconds: 60,
                .clientEvent(client: client, life: life, .network(.checkpoint(id, ResumeToken("\(id.text)@500")))))
        }
        guard clients[client].weather.hangingUploads > 0 else {
            after(milliseconds: 100 + Int64((draw >> 8) % 3000), .uploadEnds(client: client, life: life, id, plan))
            return
        }
        clients[client].weather.hangingUploads -= 1
        clients[client].watch.hangingTransfers.insert(id.text)
        after(milliseconds: plan.timeoutMilliseconds, .uploadEnds(client: client, life: life, id, plan))
    }

    func uploadEnds(_ client: Int, _ id: TransferID, _ plan: UploadPlan) {
        guard !clients[client].watch.cancelledTransfers.contains(id.text) else { return }
        let result: Result<RemoteFile, TransportFailure>
        if clients[client].watch.hangingTransfers.remove(id.text) != nil {
            result = .failure(TransportFailure(.timedOut))
        } else if clients[client].weather.failingUploads > 0 {
            clients[client].weather.failingUploads -= 1
            result = .failure(TransportFailure(.timedOut))
        } else if now < clients[client].weather.noRouteUntil || !server.isUp {
            result = .failure(TransportFailure(.unreachable))
        } else if let refusal = refusalOfKey(client) {
            result = .failure(refusal)
        } else if let refusal = server.core.refusal(of: plan.credentials.token) {
            result = .failure(
                TransportFailure(
                    .refused, status: 401, refusal: ServerRefusal(code: refusal.error, details: refusal.details)))
        } else {
            result = .success(
                RemoteFile(
                    reference: "file-\(id.text)", name: plan.file.name, size: plan.file.size, type: plan.file.type))
        }
        if case .success = result { uploadSucceeds(id, client) }
        hand(.network(.transferred(id, result)), to: client)
    }
}
