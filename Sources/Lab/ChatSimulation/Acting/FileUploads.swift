import ChatCenterCore
import ChatServerCore
import ChatWire

/// Carries out the uploads of one device.
struct FileUploads {
    private let world: World
    private let client: Int

    init(_ client: Int, in world: World) {
        self.client = client
        self.world = world
    }

    private var node: ClientNode { world.clients[client] }

    func upload(_ id: TransferID, _ plan: UploadPlan) {
        world.networkRules(client).judge(plan, &world.record)
        QueueRules(node).uploadBegins(id, at: world.now)
        let life = node.life
        node.watch.cancelledTransfers.remove(id.text)
        node.watch.endedTransfers.remove(id.text)
        let draw = node.conditions.nextCall()
        world.after(
            milliseconds: 40, .clientEvent(client: client, life: life, .network(.progress(id, 500, of: plan.file.size)))
        )
        if draw % 3 == 0 {
            world.after(
                milliseconds: 60,
                .clientEvent(client: client, life: life, .network(.checkpoint(id, UploadCheckpoint("\(id.text)@500")))))
        }
        guard node.conditions.takeHangingUpload() else {
            world.after(
                milliseconds: 100 + Int64((draw >> 8) % 3000), .uploadEnds(client: client, life: life, id, plan))
            return
        }
        node.watch.hangingTransfers.insert(id.text)
        world.after(milliseconds: plan.timeoutMilliseconds, .uploadEnds(client: client, life: life, id, plan))
    }

    func uploadEnds(_ id: TransferID, _ plan: UploadPlan) {
        guard !node.watch.cancelledTransfers.contains(id.text) else { return }
        let result: Result<RemoteFile, TransportFailure>
        if node.watch.hangingTransfers.remove(id.text) != nil {
            result = .failure(TransportFailure(.timedOut))
        } else if node.conditions.takeUploadFailure() {
            result = .failure(TransportFailure(.timedOut))
        } else if !node.conditions.hasRoute(at: world.now) || !world.server.isUp {
            result = .failure(TransportFailure(.unreachable))
        } else if let refusal = world.refusalOfKey(client) {
            result = .failure(refusal)
        } else if let refusal = world.server.core.refusal(of: plan.credentials.token) {
            result = .failure(
                TransportFailure(
                    .refused, status: 401, refusal: ServerRefusal(code: refusal.error, details: refusal.details)))
        } else {
            result = .success(
                RemoteFile(
                    reference: "file-\(id.text)", name: plan.file.name, size: plan.file.size, type: plan.file.type))
        }
        if case .success = result { QueueRules(node).uploadSucceeds(id, at: world.now) }
        world.hand(.network(.transferred(id, result)), to: client)
        QueueRules(node).judgeUploadEnd(id, result, &world.record)
    }
}
