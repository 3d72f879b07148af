#if canImport(SwiftUI)
import Foundation
import SwiftUI

/// The text and the border of a button in the colors of the theme. Both have the color `accent-pressed` while the
/// button is pressed. A disabled button is paler.
struct ChatPressStyle: ButtonStyle {
    let style: ChatStyle
    /// The color of the text while the button is not pressed.
    var color = ChatPalette.ColorName.accent
    /// The color of the border; `nil` for no border.
    var border: ChatPalette.ColorName?
    @Environment(\.isEnabled) private var isEnabled

    func makeBody(configuration: Configuration) -> some View {
        configuration.label
            .foregroundStyle(style.color(configuration.isPressed ? .accentPressed : color))
            .overlay {
                if let border {
                    Capsule().stroke(
                        style.color(configuration.isPressed ? .accentPressed : border), lineWidth: 1)
                }
            }
            .opacity(isEnabled ? 1 : 0.5)
    }
}
#endif
