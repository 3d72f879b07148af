package import ChatCenterCore

/// One turn of a client's core, whole.
package struct ClientTurn: Hashable, Sendable {
    package var client: Int
    package var time: Int64
    package var event: ChatEvent
    package var effects: [ChatEffect]
}
