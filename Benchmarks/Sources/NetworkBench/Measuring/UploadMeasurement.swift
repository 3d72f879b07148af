import BenchSupport
import ChatBenchSupport
import Foundation

/// Measures an upload whose connection is reset after half of the file.
struct UploadMeasurement {
    let network: Network
    let rounds: Int
    let megabytes: Int
    let seed: UInt64
    let folder: WorkFolder

    func run(_ clients: [any Client], _ site: NetworkSite) async throws -> [Figure] {
        let file = try UploadedFile(megabytes: megabytes, seed: seed, in: folder.fresh())
        var results = Rounds(rounds)
        try await results.run(clients) { client in
            try await PageServer.with(.uploads, site) { server in
                try await Relay.with(to: server.port, through: network.profile) { relay in
                    let upload = try await client.upload(file, at: Address(port: relay.port), through: relay)
                    guard upload.hash == file.hash else {
                        throw WrongResponse(client: client.name, what: "the server has the hash “\(upload.hash)”")
                    }
                    let counts = relay.traffic.counts
                    guard counts.connections >= 2 else {
                        throw WrongResponse(client: client.name, what: "the upload was not cut")
                    }
                    return [upload.milliseconds / 1000, Double(counts.up) / 1e6]
                }
            }
        }
        return results.figures(
            clients, [("upload of \(megabytes) MB with one cut", "s"), ("… bytes up", "MB")])
    }
}
