// Not compiled here: the edna SDK is available for iOS only.
import ChatCenterUI
import Foundation
import UIKit

/// The chat of an app, which trusts only the certificates that the app contains.
final class SupportChat {
    let sdk: ChatCenterUISDK

    init(transport: ChatTransportConfig, certificates: [URL]) {
        var network = ChatNetworkConfig()
        network.wsConfig.sendTimeout = 30
        network.sslPinning.trustedCertificates = certificates.map { ChatSSLCertificate(contentsOf: $0) }
        var config = ChatConfig(transportConfig: transport, networkConfig: network)
        sdk = ChatCenterUISDK(providerUid: "my-provider", chatConfig: config)
    }

    func signIn(_ identifier: String) {
        sdk.authorize(user: ChatUser(identifier: identifier))
    }

    func open(in navigation: UINavigationController) throws {
        let chat = try sdk.getChat()
        navigation.pushViewController(chat, animated: true)
    }
}
