// The modifiers of Apple's SwiftUI that Holdfast uses. See SwiftUI.swift.

public import Foundation
public import UniformTypeIdentifiers

// MARK: Layout and drawing

extension View {
    public nonisolated func opacity(_ opacity: Double) -> some View { EmptyView() }
    public nonisolated func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { EmptyView() }
    public nonisolated func padding(_ length: CGFloat) -> some View { EmptyView() }
    public nonisolated func frame(
        width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { EmptyView() }
    public nonisolated func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { EmptyView() }
    public nonisolated func fixedSize() -> some View { EmptyView() }
    public nonisolated func fixedSize(horizontal: Bool, vertical: Bool) -> some View { EmptyView() }
    public nonisolated func scaledToFit() -> some View { EmptyView() }
    @available(iOS 15.0, macOS 12.0, *)
    public nonisolated func background<S>(_ style: S) -> some View where S: ShapeStyle { EmptyView() }
    @available(iOS 15.0, macOS 12.0, *)
    public nonisolated func background<S, T>(
        _ style: S, in shape: T
    ) -> some View where S: ShapeStyle, T: InsettableShape { EmptyView() }
    @available(iOS 15.0, macOS 12.0, *)
    public nonisolated func background<V>(
        alignment: Alignment = .center, @ViewBuilder content: () -> V
    ) -> some View where V: View { EmptyView() }
    @available(iOS 15.0, macOS 12.0, *)
    public nonisolated func overlay<V>(
        alignment: Alignment = .center, @ViewBuilder content: () -> V
    ) -> some View where V: View { EmptyView() }
    public nonisolated func clipShape<S>(_ shape: S) -> some View where S: Shape { EmptyView() }
    @available(iOS 15.0, macOS 12.0, *)
    public nonisolated func foregroundStyle<S>(_ style: S) -> some View where S: ShapeStyle { EmptyView() }
    @available(iOS 15.0, macOS 12.0, *)
    public nonisolated func tint(_ tint: Color?) -> some View { EmptyView() }
    public nonisolated func font(_ font: Font?) -> some View { EmptyView() }
    @available(iOS 16.0, macOS 13.0, *)
    public nonisolated func italic(_ isActive: Bool = true) -> some View { EmptyView() }
    public nonisolated func lineLimit(_ number: Int?) -> some View { EmptyView() }
    @available(iOS 16.0, macOS 13.0, *)
    public nonisolated func lineLimit(_ limit: ClosedRange<Int>) -> some View { EmptyView() }
    public nonisolated func multilineTextAlignment(_ alignment: TextAlignment) -> some View { EmptyView() }
}

// MARK: Identity, data and events

extension View {
    public nonisolated func id<ID>(_ id: ID) -> some View where ID: Hashable { EmptyView() }
    public nonisolated func environment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
    ) -> some View { EmptyView() }
    public nonisolated func disabled(_ disabled: Bool) -> some View { EmptyView() }
    public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    public nonisolated func onDisappear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    @available(iOS 17.0, macOS 14.0, *)
    public nonisolated func onChange<V>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some View where V: Equatable { EmptyView() }
    @available(iOS 15.0, macOS 12.0, *)
    public nonisolated func task<T>(
        id value: T, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View where T: Equatable { EmptyView() }
    public nonisolated func contextMenu<MenuItems>(
        @ViewBuilder menuItems: () -> MenuItems
    ) -> some View where MenuItems: View { EmptyView() }
    @available(iOS 14.0, macOS 11.0, *)
    public nonisolated func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType],
        onCompletion: @escaping (_ result: Result<URL, any Error>) -> Void
    ) -> some View { EmptyView() }
    @available(iOS 14.0, macOS 11.0, *)
    public nonisolated func keyboardShortcut(
        _ key: KeyEquivalent, modifiers: EventModifiers = .command
    ) -> some View { EmptyView() }
    @available(iOS 15.0, macOS 12.0, *)
    public nonisolated func focused(_ condition: FocusState<Bool>.Binding) -> some View { EmptyView() }
    @available(iOS 15.0, macOS 12.0, *)
    public nonisolated func submitLabel(_ submitLabel: SubmitLabel) -> some View { EmptyView() }
}

// MARK: Scrolling

extension View {
    @available(iOS 17.0, macOS 14.0, *)
    public nonisolated func scrollTargetLayout(isEnabled: Bool = true) -> some View { EmptyView() }
    @available(iOS 17.0, macOS 14.0, *)
    public nonisolated func scrollPosition(
        id: Binding<(some Hashable)?>, anchor: UnitPoint? = nil
    ) -> some View { EmptyView() }
    @available(iOS 17.0, macOS 14.0, *)
    public nonisolated func defaultScrollAnchor(_ anchor: UnitPoint?) -> some View { EmptyView() }
    @available(iOS 16.0, macOS 13.0, *)
    public nonisolated func scrollDismissesKeyboard(_ mode: ScrollDismissesKeyboardMode) -> some View { EmptyView() }
    @available(iOS 16.0, macOS 13.0, *)
    public nonisolated func scrollIndicators(
        _ visibility: ScrollIndicatorVisibility, axes: Axis.Set = [.vertical, .horizontal]
    ) -> some View { EmptyView() }
}

// MARK: Styles

public protocol PrimitiveButtonStyle {}
public struct PlainButtonStyle: PrimitiveButtonStyle { public nonisolated init() {} }
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

@available(iOS 13.0, macOS 10.15, *)
@MainActor @preconcurrency public protocol ButtonStyle {
    associatedtype Body: View
    typealias Configuration = ButtonStyleConfiguration
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
}
@available(iOS 13.0, macOS 10.15, *)
public struct ButtonStyleConfiguration {
    @MainActor @preconcurrency public struct Label: View {
        public var body: Never { fatalError() }
    }
    public let label: Label
    public let isPressed: Bool
}

public protocol TextFieldStyle {}
public struct RoundedBorderTextFieldStyle: TextFieldStyle { public nonisolated init() {} }
extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    public static var roundedBorder: RoundedBorderTextFieldStyle { RoundedBorderTextFieldStyle() }
}

@available(iOS 15.0, macOS 12.0, *)
public protocol TextSelectability {}
public struct EnabledTextSelectability: TextSelectability {}
extension TextSelectability where Self == EnabledTextSelectability {
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}

extension View {
    public nonisolated func buttonStyle<S>(_ style: S) -> some View where S: PrimitiveButtonStyle { EmptyView() }
    public nonisolated func buttonStyle<S>(_ style: S) -> some View where S: ButtonStyle { EmptyView() }
    public nonisolated func textFieldStyle<S>(_ style: S) -> some View where S: TextFieldStyle { EmptyView() }
    @available(iOS 15.0, macOS 12.0, *)
    public nonisolated func textSelection<S>(_ selectability: S) -> some View where S: TextSelectability { EmptyView() }
}

// MARK: Accessibility

extension View {
    @available(iOS 14.0, macOS 11.0, *)
    public nonisolated func accessibilityLabel(_ label: Text) -> some View { EmptyView() }
    @available(iOS 14.0, macOS 11.0, *)
    public nonisolated func accessibilityValue(_ value: Text) -> some View { EmptyView() }
    @available(iOS 14.0, macOS 11.0, *)
    public nonisolated func accessibilityHint(_ hint: Text) -> some View { EmptyView() }
    @available(iOS 14.0, macOS 11.0, *)
    public nonisolated func accessibilityHidden(_ hidden: Bool) -> some View { EmptyView() }
    @available(iOS 14.0, macOS 11.0, *)
    public nonisolated func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { EmptyView() }
    public nonisolated func accessibilityElement(
        children: AccessibilityChildBehavior = .ignore
    ) -> some View { EmptyView() }
    @available(iOS 16.0, macOS 13.0, *)
    public nonisolated func accessibilityActions<Content>(
        @ViewBuilder _ content: () -> Content
    ) -> some View where Content: View { EmptyView() }
}
