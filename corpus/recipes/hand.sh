build_hand() { :; }
