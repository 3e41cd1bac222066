//! The addresses under which this machine is reached, and the QR code of the page's address.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use qrcode::EcLevel;
use qrcode::render::unicode::Dense1x2;

use casino_show::state::QrCode;

/// Beginnings of the names of interfaces whose networks exist on this machine only.
const INTERNAL_INTERFACES: [&str; 6] = ["br-", "docker", "vboxnet", "veth", "virbr", "vmnet"];

/// Beginnings of the names of tunnels. Machines in the room do not reach their addresses.
const TUNNELS: [&str; 6] = ["ppp", "tailscale", "tun", "utun", "wg", "zt"];

/// The addresses under which a listener is reached from other machines, the likeliest first. A machine without a
/// network has only its own. Of an interface with IPv4 the longer IPv6 addresses are left out.
fn reachable(listens: SocketAddr) -> Vec<SocketAddr> {
    if !listens.ip().is_unspecified() {
        return vec![listens];
    }
    // A system that lists no interfaces is shown as a machine without a network.
    let mut interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    interfaces.retain(|interface| is_reached(&interface.name, interface.ip()));
    let with_ipv4: HashSet<String> =
        interfaces.iter().filter(|known| known.ip().is_ipv4()).map(|known| known.name.clone()).collect();
    interfaces.retain(|interface| match interface.ip() {
        IpAddr::V4(_) => true,
        IpAddr::V6(_) => listens.is_ipv6() && !with_ipv4.contains(&interface.name),
    });
    let outgoing = outgoing();
    interfaces.sort_by_key(|interface| {
        let ip = interface.ip();
        (
            interface.is_p2p() || TUNNELS.iter().any(|name| interface.name.starts_with(name)),
            interface.is_link_local(),
            !interface.is_oper_up(),
            ip.is_ipv6(),
            outgoing != Some(ip),
        )
    });
    if interfaces.is_empty() {
        return vec![(Ipv4Addr::LOCALHOST, listens.port()).into()];
    }
    interfaces.iter().map(|interface| SocketAddr::new(interface.ip(), listens.port())).collect()
}

/// Whether other machines may reach this address, and people can type it.
fn is_reached(interface: &str, ip: IpAddr) -> bool {
    let is_internal = INTERNAL_INTERFACES.iter().any(|name| interface.starts_with(name));
    let needs_scope = matches!(ip, IpAddr::V6(ip) if ip.is_unicast_link_local());
    !is_internal && !needs_scope && !ip.is_loopback()
}

/// The address from which this machine would send to the internet. Nothing is sent.
fn outgoing() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// The addresses for programs as they are typed, the likeliest first.
pub(crate) fn typed_addresses(listens: SocketAddr) -> Vec<String> {
    reachable(listens).iter().map(ToString::to_string).collect()
}

/// The reach of a listening address, in words.
pub(crate) fn open_to(listens: SocketAddr) -> &'static str {
    match (listens.ip().to_canonical().is_loopback(), reachable(listens)[0].ip().is_loopback()) {
        (true, _) => "open to this machine only",
        (false, true) => "open to the network, which this machine has not joined yet",
        (false, false) => "open to the whole network",
    }
}

/// A sentence with the reach of a page and all its addresses.
pub(crate) fn open_page(what: &str, listens: SocketAddr) -> String {
    let urls: Vec<String> = reachable(listens).into_iter().map(url).collect();
    format!("{what} is {}: {}", open_to(listens), urls.join(" or "))
}

/// The likeliest address of a page, as it is typed into a browser.
pub(crate) fn page_url(listens: SocketAddr) -> String {
    url(reachable(listens)[0])
}

fn url(page: SocketAddr) -> String {
    match page.port() {
        80 => format!("http://{}/", host(page.ip())),
        port => format!("http://{}:{port}/", host(page.ip())),
    }
}

fn host(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

/// Where the page is found from outside.
#[derive(Clone, Debug)]
pub(super) struct PageLink {
    /// The address, as it is typed.
    pub(super) url: String,
    /// The same as a picture; nothing if only this machine can open it.
    pub(super) qr: Option<QrCode>,
}

impl PageLink {
    pub(super) fn to(page: SocketAddr) -> PageLink {
        let best = reachable(page)[0];
        let url = url(best);
        let qr = if best.ip().is_loopback() { None } else { qr_code(&url) };
        PageLink { url, qr }
    }
}

/// The QR code of a page that other machines can open, in characters for a dark terminal.
pub(crate) fn terminal_code(page: SocketAddr) -> Option<String> {
    let best = reachable(page)[0];
    let code = qrcode::QrCode::with_error_correction_level(url(best), EcLevel::L).ok()?;
    let drawn = || code.render().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
    (!best.ip().is_loopback()).then(drawn)
}

/// A text as a QR code; nothing if it is too long for one.
pub(super) fn qr_code(text: &str) -> Option<QrCode> {
    let code = qrcode::QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let size = code.width();
    let modules = code.to_colors();
    let mut path = String::new();
    for (y, row) in modules.chunks(size).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|one, other| one == other) {
            if run[0] == qrcode::Color::Dark {
                path.push_str(&format!("M{x} {y}h{0}v1h-{0}z", run.len()));
            }
            x += run.len();
        }
    }
    Some(QrCode { size, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_addresses_are_reported_and_wildcards_are_resolved() {
        let chosen: SocketAddr = ([127, 0, 0, 1], 9000).into();
        assert_eq!(reachable(chosen), [chosen]);
        for any in ["0.0.0.0:9000", "[::]:9000"].map(|any| reachable(any.parse().unwrap())) {
            assert!(
                !any.is_empty() && any.iter().all(|at| !at.ip().is_unspecified() && at.port() == 9000),
                "{any:?}"
            );
        }
        assert_eq!(open_to(chosen), "open to this machine only");
        assert_eq!(open_to("[::ffff:127.0.0.1]:80".parse().unwrap()), "open to this machine only");
        assert_eq!(open_to("192.168.1.4:80".parse().unwrap()), "open to the whole network");
        assert!(open_to("[::]:9000".parse().unwrap()).starts_with("open to the "));
        assert_eq!(
            open_page("The page", chosen),
            "The page is open to this machine only: http://127.0.0.1:9000/"
        );
        assert_eq!(page_url(([10, 0, 0, 7], 80).into()), "http://10.0.0.7/");
        assert_eq!(page_url("[::1]:8080".parse().unwrap()), "http://[::1]:8080/");
    }

    #[test]
    fn internal_networks_and_addresses_with_a_scope_are_left_out() {
        for (interface, ip, expected) in [
            ("wlan0", "192.168.1.20", true),
            ("wlan0", "2001:db8::20", true),
            ("wlan0", "fe80::1", false),
            ("lo", "127.0.0.1", false),
            ("docker0", "172.17.0.1", false),
        ] {
            assert_eq!(is_reached(interface, ip.parse().unwrap()), expected, "{interface} {ip}");
        }
    }

    #[test]
    fn a_code_is_square_and_has_its_three_corners() {
        let code = qr_code("http://192.168.1.20:8080/").expect("an address is short enough");
        assert_eq!(code.size, 25);
        for corner in ["M0 0h7v1h-7z", "M18 0h7v1h-7z", "M0 18h7v1h-7z"] {
            assert!(code.path.contains(corner), "{corner}: {}", code.path);
        }
        assert_eq!(qr_code(&"x".repeat(5_000)), None);
    }
}
